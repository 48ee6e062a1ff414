import { followReach, type ToldType } from '../../../cli/explanation/reach/follow-reach.js';
import { read } from '../../api/client.js';
import { Problem } from '../../api/problem.js';
import { useReading } from '../../api/reading.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { pathOfEntity } from '../../actions/entity-actions.js';
import { eventInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { Read } from '../../parts/notice.js';
import { partsOfId } from '../../router.js';
import { typeOf } from '../../session/session.js';

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
        {({ types, then, further, undeclared, others }) => (
          <>
            {types.length > 0 && <p>It may raise events on others:</p>}
            <Types types={types} />
            {then.map((step) => (
              <section key={step.entity}>
                <p>
                  In turn, <EntityLink id={step.entity} /> may raise events on others:
                </p>
                <Types types={step.types} />
                {step.undeclared.length > 0 && (
                  <p>Its declaration does not say which events {step.undeclared.join(' and ')} may raise.</p>
                )}
              </section>
            ))}
            {further && <p>More may be ended in turn: this is how far it was followed.</p>}
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
    typeOf,
    entity: (id: string) => {
      const [name, key] = partsOfId(id);
      return read<WatchedEntity>(pathOfEntity(typeOf(name)!, key), signal).catch(unless(404, 410));
    },
    list: (path: string) =>
      read<{ readonly value: readonly { readonly key: string }[] }>(path, signal).catch(unless(503)),
  };
}

function Types({ types }: { readonly types: readonly ToldType[] }) {
  return (
    <ul class="plain">
      {types.map(({ type, events, successors, linking, more }) => (
        <li key={type}>
          {events.map(({ event, ends, creates }) => (
            <p key={event} class="line">
              <strong>
                {type}: {eventInWords(type, event)}
              </strong>
              {ends && <span class="count bad">ends it</span>}
              {creates && <span class="count">creates one</span>}
            </p>
          ))}
          <Entities ids={[...successors, ...(linking ?? [])]} />
          {linking === null && <p class="line">The store could not be queried for those that link to it.</p>}
          {more > 0 && <p class="line">and {more} more</p>}
        </li>
      ))}
    </ul>
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
