import type { FarReach } from './follow-reach.js';

/** The entities of a type that an event reaches at any level. */
export interface ReachedGroup {
  readonly type: string;
  readonly events: readonly string[];
  /** Tells whether one of the events ends them. */
  readonly ends: boolean;
  readonly entities: readonly string[];
  /** How many more there are. */
  readonly more: number;
  /** Tells whether those that link to the ended ones could not be asked for. */
  readonly unasked: boolean;
}

/** Gathers a reach by type: what is ended first, then the largest. What may be created is left out: nothing there can be harmed. */
export function byType({ types, then }: Pick<FarReach, 'types' | 'then'>, root: string): readonly ReachedGroup[] {
  const groups = new Map<string, ReachedGroup>();
  for (const told of [...types, ...then.flatMap((step) => step.types)]) {
    const events = told.events.filter(({ creates }) => !creates);
    if (events.length === 0) continue;
    const named = [...told.successors, ...(told.linking ?? [])];
    // An ended entity tells the one that it belongs to, which is ended as well.
    const entities = named.filter((id) => id !== root);
    if (entities.length + told.more === 0 && root.startsWith(`${told.type}/`)) continue;
    const before = groups.get(told.type);
    groups.set(told.type, {
      type: told.type,
      events: [...new Set([...(before?.events ?? []), ...events.map(({ event }) => event)])],
      ends: before?.ends === true || events.some(({ ends }) => ends),
      entities: [...new Set([...(before?.entities ?? []), ...entities])],
      more: (before?.more ?? 0) + told.more,
      unasked: before?.unasked === true || told.linking === null,
    });
  }
  const size = ({ entities, more }: ReachedGroup) => entities.length + more;
  return [...groups.values()].sort(
    (one, other) =>
      Number(other.ends) - Number(one.ends) || size(other) - size(one) || (one.type < other.type ? -1 : 1),
  );
}
