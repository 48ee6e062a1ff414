import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { worldOf, type Simulation } from './simulation.js';

/** How a simulation has ended, without what may differ from run to run: times, ids and orders. */
export interface End {
  /** Entities that were ever there, by id. */
  readonly entities: Readonly<
    Record<string, { readonly state: string; readonly properties: unknown; readonly successors: unknown }>
  >;
  /** What took effect outside: each call with its input, and how many calls of it there were, by idempotency key. */
  readonly effects: Readonly<Record<string, number>>;
}

export function describeEnd(sim: Simulation): End {
  const entities = worldOf(sim)
    .everyEntity()
    .map(({ id, snapshot }) => [id, describe(snapshot)] as const);
  const keys = new Map<string, Set<string>>();
  for (const { call, entity, input, idempotencyKey, error } of sim.calls) {
    if (error !== undefined) continue;
    const what = `${entity} ${call} ${JSON.stringify(input)}`;
    keys.set(what, (keys.get(what) ?? new Set()).add(idempotencyKey));
  }
  const effects = [...keys].map(([what, distinct]) => [what, distinct.size] as const);
  return { entities: Object.fromEntries(sorted(entities)), effects: Object.fromEntries(sorted(effects)) };
}

function describe({ state, properties, successors }: Snapshot) {
  const known = successors.map((each) => [entityId(each), [each.event, each.outcome?.state]] as const);
  return { state, properties, successors: Object.fromEntries(sorted(known)) };
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
