import { linkingIn, reachOf, type ReachedType } from '../../../cli/explanation/reach/reach.js';
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
              <li key={reached.type}>
                {reached.events.map(({ event: name, ends }) => (
                  <p key={name} class="line">
                    <strong>
                      {reached.type}: {eventInWords(reached.type, name)}
                    </strong>
                    {ends && <span class="count bad">ends it</span>}
                  </p>
                ))}
                <Entities ids={reached.successors} />
                <Linking reached={reached} />
              </li>
            ))}
          </ul>
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

/** Shows the entities of a type that link to one and are not among its successors. */
function Linking({ reached }: { readonly reached: ReachedType }) {
  const { data, problem } = useReading<Page<Pick<EntityRow, 'key'>>>(reached.linking).value;
  if (problem) return <p class="line">The store could not be queried for those that link to it.</p>;
  const { entities, more } = linkingIn(reached, data ?? { value: [] });
  return (
    <>
      <Entities ids={entities} />
      {more > 0 && <p class="line">and {more} more</p>}
    </>
  );
}
