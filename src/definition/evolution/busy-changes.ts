import { busyIn, type Busy } from '../busy.js';
import { safe, type Change } from './change.js';
import { breaksCallers, same, type Versions } from './context.js';
import type { EntityModel } from './model.js';

type EventModel = EntityModel['events'][number];

/** Compares how an event is handled while an action runs: a caller may rely on waiting, or on a code. S2.3 */
export function busyChanges({ old, next }: Versions, one: EventModel, other: EventModel): readonly Change[] {
  const place = `${next.name}.events.${other.name}`;
  const changed = old.states.flatMap(({ name, ending }) => {
    const state = next.renamed.states?.[name] ?? name;
    if (ending !== undefined || !next.states.some((each) => each.name === state)) return [];
    const [was, is] = [busyOf(old, one, name), busyOf(next, other, state)];
    return same(was, is) ? [] : [{ name, state, was: codeOf(was), is: codeOf(is) }];
  });
  const rejected = changed.filter(({ was, is }) => is !== undefined && was !== is);
  if (rejected.length > 0) {
    const said = rejected.map(
      ({ state, was, is }) => `in ${state} with ${is}${was === undefined ? '' : `, not ${was}`}`,
    );
    const sentence = `'${other.name}' is rejected while an action runs: ${said.join('; ')}.`;
    const remedy = "Keep 'wait' and the codes while callers rely on them.";
    const states = rejected.map(({ name }) => name);
    return [breaksCallers(place, sentence, remedy, { type: next.name, event: one.name, states })];
  }
  return changed.length === 0
    ? []
    : [safe(place, `The changed handling of '${other.name}' while an action runs applies to events from now on.`)];
}

function busyOf({ states, busy }: EntityModel, event: EventModel, state: string): Busy {
  const named = Object.fromEntries(states.map((each) => [each.name, each]));
  return busyIn({ events: { event }, states: named, busy }, 'event', state);
}

/** The code of a rejection; nothing where the event is not rejected. */
function codeOf(busy: Busy): string | undefined {
  if (busy === 'wait' || busy === 'abort') return undefined;
  return busy === 'reject' ? 'already_in_progress' : busy.code;
}
