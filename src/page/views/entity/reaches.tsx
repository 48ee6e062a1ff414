import { isReached, linkingIn, reachOf, successorsIn, type ReachedType } from '../../../cli/explanation/reach/reach.js';
import { shellWord } from '../../../definition/shell-word.js';
import { useReading } from '../../api/reading.js';
import type { EntityRow, Page, ServedType, WatchedEntity } from '../../api/shapes.js';
import { eventInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { typeOf } from '../../session/session.js';

/** Shows the events that others may get because of an event that ends the entity, as its declaration says, with its successors of now, and the entities that link to it. */
export function Reaches({
  type,
  entity,
  event,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly event: string;
}) {
  const { types, undeclared, others } = reachOf(typeOf, type, entity, event);
  return (
    <div class="notice bad">
      <strong>This ends {entity.id}.</strong>
      {types.length > 0 && (
        <>
          <p>It may raise events on others:</p>
          <ul class="plain">
            {types.map((reached) => (
              <Type key={reached.type} reached={reached} />
            ))}
          </ul>
          <p>
            Those that are ended may end others in turn. All levels:{' '}
            <code>{`npx reeve explain ${shellWord(entity.id)} --event ${event}`}</code>
          </p>
        </>
      )}
      {undeclared.length > 0 && (
        <p>Its declaration does not say which events {undeclared.join(' and ')} may raise on others.</p>
      )}
      {others.length > 0 && (
        <>
          <p>It may also affect its successors:</p>
          <Entities ids={others} />
        </>
      )}
    </div>
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

/** Shows the entities of a type that are reached: successors, and those that link to the entity. */
function Type({ reached }: { readonly reached: ReachedType }) {
  const known = useReading<Page<Pick<EntityRow, 'key'>>>(reached.existing).value;
  const { data, problem } = useReading<Page<Pick<EntityRow, 'key'>>>(reached.linking).value;
  const successors = known.data ? successorsIn(reached, known.data) : reached.successors;
  const { entities, more } = linkingIn(reached, data ?? { value: [] });
  const isUnknown = reached.linking !== undefined && !data;
  if (!isReached(reached, successors, isUnknown ? null : entities)) return null;
  return (
    <li>
      {reached.events.map(({ event: name, ends, creates }) => (
        <p key={name} class="line">
          <strong>
            {reached.type}: {eventInWords(reached.type, name)}
          </strong>
          {ends && <span class="count bad">ends it</span>}
          {creates && <span class="count">creates one</span>}
        </p>
      ))}
      <Entities ids={successors} />
      {problem && <p class="line">The store could not be queried for those that link to it.</p>}
      <Entities ids={entities} />
      {more > 0 && <p class="line">and {more} more</p>}
    </li>
  );
}
