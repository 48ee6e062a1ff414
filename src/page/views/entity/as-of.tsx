import { pathOfEntity } from '../../actions/entity-actions.js';
import { useReading } from '../../api/reading.js';
import type { EntityAsOf, ServedType, WatchedEntity } from '../../api/shapes.js';
import { StateDiagram } from '../../diagram/diagram.js';
import { Badge, eventInWords, stateInWords } from '../../parts/badge.js';
import { Commands } from '../../parts/commands.js';
import { OperationLink } from '../../parts/links.js';
import { Notice, Read } from '../../parts/notice.js';
import { At } from '../../parts/time.js';
import { linkTo, place } from '../../router.js';
import { Contents } from './around.js';

/** A version of an entity, of the latest life of its key or of another one. */
export interface Version {
  readonly version: number;
  readonly life: string;
}

/** The version that the address asks for; none where it asks for the entity as it is. */
export function chosenVersion(entity: Pick<WatchedEntity, 'life'>): Version | undefined {
  const { options } = place.value;
  const version = options.get('version');
  if (version === null || !/^\d+$/.test(version)) return undefined;
  return { version: Number(version), life: options.get('life') ?? entity.life };
}

/** The address of an entity at a version; without one, as it is. */
export function linkToVersion(
  { type, key, life: present }: Pick<WatchedEntity, 'type' | 'key' | 'life'>,
  chosen?: Version,
): string {
  const { version, life } = chosen ?? {};
  return linkTo(['entities', type, key], {
    version: version === undefined ? undefined : String(version),
    life: life === present ? undefined : life,
  });
}

/** An entity as it was: its state, what it held, and what led to it. */
export function AsOf({
  type,
  entity,
  chosen,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly chosen: Version;
}) {
  const { version, life } = chosen;
  const other = life === entity.life ? '' : `?life=${encodeURIComponent(life)}`;
  const path = `${pathOfEntity(type, entity.key)}/as-of/${version}${other}`;
  const reading = useReading<EntityAsOf>(path);
  const option = other === '' ? '' : ` --life ${life}`;
  return (
    <>
      <Notice tone="warn" title={`This is version ${version}.`}>
        <a href={linkToVersion(entity)}>Show the current version</a>
      </Notice>
      <Read reading={reading.value}>
        {(was) => (
          <>
            <p class="standing">
              <Badge tone={was.health === 'error' ? 'bad' : 'quiet'}>{stateInWords(type.name, was.state)}</Badge> since{' '}
              <At at={was.time} />
              {was.until_time !== null && (
                <>
                  , until <At at={was.until_time} />
                </>
              )}
              . {was.event !== null && <>{eventInWords(type.name, was.event)} led to it, in operation </>}
              <OperationLink id={was.operation} on={entity.id} />.
            </p>
            <StateDiagram
              type={type.name}
              at={was.state}
              notes={{ states: { [was.state]: { text: `version ${version}`, classes: 'present' } } }}
            />
            <Contents type={type} of={was} />
            {was.left_out.length > 0 && (
              <p class="hint">Too large to store with each version: {was.left_out.join(', ')}.</p>
            )}
          </>
        )}
      </Read>
      <Commands call={{ method: 'GET', path, reeve: `reeve get ${entity.id} --as-of ${version}${option}` }} />
    </>
  );
}
