import { useSignal } from '@preact/signals';
import { ActionDialog, type Action } from '../../actions/action-dialog.js';
import { isDestructive } from '../../actions/destructive.js';
import { raiseCall, schemaOfEvent } from '../../actions/entity-actions.js';
import type { AllowedEvent, ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { eventInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';

/** Every event as a button: one that the entity would take now, or else why it would not. */
export function EventButtons({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
  const chosen = useSignal<string | undefined>(undefined);
  const open = type.events.filter(({ internal }) => internal !== true).map(({ name }) => name);
  const events = entity.events.filter(({ event }) => open.includes(event));
  const close = () => (chosen.value = undefined);
  return (
    <section class="card events" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      {events.length === 0 && (
        <p class="faint">{entity.stale ? 'The valid events are not known.' : 'You may raise none.'}</p>
      )}
      <ul>
        {events
          .toSorted((one, other) => Number(other.allowed) - Number(one.allowed))
          .map((each) => (
            <EventButton key={each.event} type={type} each={each} onChoose={() => (chosen.value = each.event)} />
          ))}
      </ul>
      {chosen.value !== undefined && (
        <ActionDialog
          key={chosen.value}
          action={actionOf(type, entity, chosen.value)}
          onClose={close}
          onTaken={(taken) => {
            noteAsked(`${chosen.value} ${entity.id}`, { ...taken, on: taken.on ?? entity.id });
            close();
          }}
        />
      )}
    </section>
  );
}

function EventButton({
  type,
  each,
  onChoose,
}: {
  readonly type: ServedType;
  readonly each: AllowedEvent;
  onChoose(): void;
}) {
  const why = each.allowed
    ? each.behind === undefined
      ? undefined
      : `It would wait for ${each.behind}.`
    : each.rejection.message;
  const id = `why-${each.event}`;
  return (
    <li>
      <button
        type="button"
        class={isDestructive(type, each.event) ? 'danger' : ''}
        aria-disabled={!each.allowed}
        {...(why !== undefined && { 'aria-describedby': id })}
        onClick={() => each.allowed && onChoose()}
      >
        {eventInWords(type.name, each.event)}
      </button>
      {why !== undefined && (
        <span class="hint" id={id}>
          {why}
        </span>
      )}
    </li>
  );
}

function actionOf(type: ServedType, entity: WatchedEntity, event: string): Action {
  const described = type.events.find(({ name }) => name === event);
  const schema = schemaOfEvent(type, event);
  const destructive = isDestructive(type, event);
  return {
    title: `${eventInWords(type.name, event)} ${entity.id}`,
    ...(described?.description !== undefined && { description: described.description }),
    ...(schema && { schema }),
    ...(destructive && { confirm: entity.key, reaches: <Reaches entity={entity} /> }),
    button: eventInWords(type.name, event),
    call: (given) => raiseCall(type, entity, event, given),
  };
}

/** Which others an event may reach that ends the entity. */
function Reaches({ entity: { id, successors } }: { readonly entity: WatchedEntity }) {
  return (
    <div class="notice bad">
      <strong>This ends {id}.</strong>
      {successors.length > 0 && (
        <>
          <p>It may also affect its successors:</p>
          <ul class="plain">
            {[...new Set(successors.map(({ entity }) => entity))].map((each) => (
              <li key={each}>
                <EntityLink id={each} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
