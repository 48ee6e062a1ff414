import { byType, type ReachedGroup } from '../../../cli/explanation/reach/by-type.js';
import { followReach } from '../../../cli/explanation/reach/follow-reach.js';
import { read } from '../../api/client.js';
import { Problem } from '../../api/problem.js';
import { useReading } from '../../api/reading.js';
import type { Page, ServedType, WatchedEntity } from '../../api/shapes.js';
import { pathOfEntity } from '../../actions/entity-actions.js';
import { eventInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { Read } from '../../parts/notice.js';
import { linkTo, partsOfId } from '../../router.js';
import { typeOf, types as served } from '../../session/session.js';

/**
 * Shows the events that others may get because of an event that ends the entity, as its declaration says: on its successors of now and on
 * the entities that link to it, and on those that these end in turn.
 */
export function Reaches({
  type,
  entity,
  event,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly event: string;
}) {
  const reading = useReading(`${entity.id} ${event}`, entity.version, undefined, (_, signal) =>
    followReach(readerUntil(signal), type, entity, event),
  );
  return (
    <div class="notice bad reaches" tabIndex={0} role="group" aria-label="Reach">
      <strong>This ends {entity.id}.</strong>
      <Read reading={reading.value}>
        {({ types, then, further, undeclared, others, left, answers, distributed, partly }) => (
          <>
            {byType({ types, then }, entity.id).map((group) => (
              <Group key={group.type} group={group} />
            ))}
            {further && <p>More may be ended in turn: this is how far it was followed.</p>}
            {answers.length > 0 && (
              <p>
                It is awaited from outside, and no longer needed then:{' '}
                {answers.map(({ entity: id, of }, index) => (
                  <span key={`${id} ${of}`}>
                    {index > 0 && ', '}
                    {of} of <EntityLink id={id} />
                  </span>
                ))}
                .
              </p>
            )}
            {distributed.length > 0 && (
              <p>
                It runs over partitions there:{' '}
                {distributed.map((name, index) => (
                  <span key={name}>
                    {index > 0 && ', '}
                    <a href={linkTo(['distributed', name])}>{name}</a>
                  </span>
                ))}
                .
              </p>
            )}
            {left.map((each) => (
              <Group key={each.type} group={{ ...each, ends: false, events: [], unasked: false }} />
            ))}
            {partly && <p>Not all that depends on it could be queried.</p>}
            {undeclared.length > 0 && (
              <p>Its declaration does not say which events {undeclared.join(' and ')} may raise on others.</p>
            )}
            {others.length > 0 && (
              <>
                <p>It may also affect its successors:</p>
                <Entities ids={others} />
              </>
            )}
          </>
        )}
      </Read>
    </div>
  );
}

function readerUntil(signal: AbortSignal) {
  const unless =
    (...statuses: readonly number[]) =>
    (thrown: unknown) => {
      if (!(thrown instanceof Problem) || !statuses.includes(thrown.status)) throw thrown;
      return undefined;
    };
  return {
    types: served.value ?? [],
    entity: (id: string) => {
      const [name, key] = partsOfId(id);
      return read<WatchedEntity>(pathOfEntity(typeOf(name)!, key), signal).catch(unless(404, 410));
    },
    list: <Row,>(path: string) => read<Page<Row>>(path, signal).catch(unless(403, 503)),
  };
}

/** So many are named without a click. */
const NAMED_AT_ONCE = 4;

function Group({ group: { type, events, ends, entities, more, unasked } }: { readonly group: ReachedGroup }) {
  const count = entities.length + more;
  return (
    <details open={entities.length <= NAMED_AT_ONCE}>
      <summary>
        <strong>
          {count > 0 && `${count} × `}
          {type}
        </strong>
        {ends && <span class="count bad">ends</span>}{' '}
        {events.length > 0 ? events.map((event) => eventInWords(type, event)).join(', ') : 'links to it, and stays'}
      </summary>
      {count === 0 && !unasked && <p class="line">Its declaration does not say on which.</p>}
      {count > 0 && <Entities ids={entities} />}
      {unasked && <p class="line">The store could not be queried for those that link to it.</p>}
      {more > 0 && <p class="line">and {more} more</p>}
    </details>
  );
}

function Entities({ ids }: { readonly ids: readonly string[] }) {
  return (
    <p class="line">
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <EntityLink id={id} />
        </span>
      ))}
    </p>
  );
}
