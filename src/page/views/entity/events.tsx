import type { Signal } from '@preact/signals';
import { ActionDialog, type Action } from '../../actions/action-dialog.js';
import { isDestructive } from '../../../cli/explanation/reach/destructive.js';
import { mayComeAgain } from '../../actions/reachable.js';
import { raiseCall, schemaOfEvent } from '../../actions/entity-actions.js';
import type { AllowedEvent, ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { eventInWords } from '../../parts/badge.js';
import { Reaches } from './reaches.js';

/**
 * The events that the entity would take now as buttons, and the others with why not. What can never come again is left out.
 * @param raising the event whose form is open
 */
export function EventButtons({
  type,
  entity,
  raising,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly raising: Signal<string | undefined>;
}) {
  const open = type.events.filter(({ internal }) => internal !== true).map(({ name }) => name);
  const events = entity.events.filter(({ event }) => open.includes(event));
  const allowed = events.filter((each) => each.allowed);
  const refused = events.flatMap((each) =>
    !each.allowed && mayComeAgain(type, entity.state, each.event) ? [each] : [],
  );
  const close = () => (raising.value = undefined);
  return (
    <section class="card events" aria-labelledby="events-title" tabIndex={-1}>
      <h2 id="events-title">Events</h2>
      {allowed.length === 0 && (
        <p class="faint">
          {entity.stale
            ? 'The valid events are not known.'
            : events.length === 0
              ? 'You may raise none.'
              : 'None is valid now.'}
        </p>
      )}
      <ul>
        {allowed.map((each) => (
          <EventButton key={each.event} type={type} each={each} onChoose={() => (raising.value = each.event)} />
        ))}
      </ul>
      {!entity.stale && <Refusals type={type} refused={refused} />}
      {raising.value !== undefined && (
        <ActionDialog
          key={raising.value}
          action={actionOf(type, entity, raising.value)}
          onClose={close}
          onTaken={(taken) => {
            noteAsked(`${raising.value} ${entity.id}`, { ...taken, on: taken.on ?? entity.id });
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
  readonly each: Extract<AllowedEvent, { allowed: true }>;
  onChoose(): void;
}) {
  const id = `why-${each.event}`;
  return (
    <li>
      <button
        type="button"
        class={isDestructive(type, each.event) ? 'danger' : ''}
        {...(each.behind !== undefined && { 'aria-describedby': id })}
        onClick={onChoose}
      >
        {eventInWords(type.name, each.event)}
      </button>
      {each.behind !== undefined && (
        <span class="hint" id={id}>
          It would wait for {each.behind}.
        </span>
      )}
    </li>
  );
}

/** The events that would be refused, by why. */
function Refusals({
  type,
  refused,
}: {
  readonly type: ServedType;
  readonly refused: readonly Extract<AllowedEvent, { allowed: false }>[];
}) {
  const reasons = new Map<string, string[]>();
  for (const { event, rejection } of refused)
    reasons.set(rejection.message, [...(reasons.get(rejection.message) ?? []), eventInWords(type.name, event)]);
  return (
    <>
      {[...reasons].map(([why, events]) => (
        <p key={why} class="refused">
          <strong>Not now: {events.join(', ')}.</strong> {why}
        </p>
      ))}
    </>
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
    ...(destructive && { confirm: entity.key, reaches: <Reaches type={type} entity={entity} event={event} /> }),
    button: eventInWords(type.name, event),
    call: (given) => raiseCall(type, entity, event, given),
  };
}
