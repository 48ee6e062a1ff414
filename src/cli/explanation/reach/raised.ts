import type { ServedType } from '../../../service/routes/types.js';
import { follow } from './automatic.js';

/** The events that may be raised on other entities. */
export interface Raised {
  /** The names of the events by the type on which they are raised. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  /** The actions whose declaration does not say what they raise. */
  readonly undeclared: readonly string[];
}

/** Collects the events that others may get because of an event in a state, as the declaration says: from its action and those that follow automatically. */
export function raisedBy(type: ServedType, state: string, event: string): Raised {
  const first = type.actions.filter(({ on, in: sources }) => on === event && sources.includes(state));
  const { actions } = follow(type, first);
  const events = new Map<string, string[]>();
  for (const raised of new Set(actions.flatMap(({ raises = [] }) => raises))) {
    const dot = raised.indexOf('.');
    const on = raised.slice(0, dot);
    events.set(on, [...(events.get(on) ?? []), raised.slice(dot + 1)]);
  }
  return { events, undeclared: actions.flatMap(({ name, raises }) => (raises ? [] : [name])) };
}
