import type { OperationResult } from '../operations/status.js';
import { entityId, OPERATION_TYPE } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { outcomeOfOnly } from '../protocol/outcome.js';
import { worldOf, type Simulation } from './simulation.js';
import type { Workflow } from './workflow.js';

/** Describes how a simulation has ended, without what may differ from run to run: times, ids and orders. */
export interface End {
  /**
   * Entities that were ever there, by id. Successors are told of those that still run: which reports one has heard that is closed
   * depends on when it closed.
   */
  readonly entities: Readonly<
    Record<string, { readonly state: string; readonly properties: unknown; readonly successors: unknown }>
  >;
  /** Shows what took effect outside: each call with its input, and how many calls of it there were, by idempotency key. */
  readonly effects: Readonly<Record<string, number>>;
  /** Shows how the events that entities remember ended: their number by name and outcome (`place Box/a: success`). */
  readonly events: Readonly<Record<string, number>>;
  /** The same for operations that needed a workflow. */
  readonly operations: Readonly<Record<string, number>>;
}

/** Longer than anything takes that does not go on for ever. */
const LONGEST_REST = 60;

/** Waits until what is under way has ended. What waits for a time of its own goes on waiting. */
export async function comeToRest(sim: Simulation): Promise<void> {
  for (let passed = 0; passed < LONGEST_REST && !worldOf(sim).onlyTimersLeft(); passed++) await sim.advance('10s');
}

export function describeEnd(sim: Simulation): End {
  const world = worldOf(sim);
  const workflows = world.everyWorkflow();
  const entities = workflows
    .filter((each) => world.subject(each) && each.reading)
    .map(({ id, status, reading }) => ({ id, status, snapshot: reading as Snapshot }));
  const keys = new Map<string, Set<string>>();
  for (const { call, entity, input, idempotencyKey, error } of sim.calls) {
    if (error !== undefined) continue;
    const what = `${entity} ${call} ${JSON.stringify(input)}`;
    keys.set(what, (keys.get(what) ?? new Set()).add(idempotencyKey));
  }
  return {
    entities: Object.fromEntries(sorted(entities.map(({ id, status, snapshot }) => [id, describe(snapshot, status)]))),
    effects: Object.fromEntries(sorted([...keys].map(([what, distinct]) => [what, distinct.size]))),
    events: counted(
      entities.flatMap(({ id, snapshot }) =>
        snapshot.ledger.recent.map(
          ({ event, outcome }) => `${event} ${id}: ${outcome ? outcomeOfOnly(outcome) : 'open'}`,
        ),
      ),
    ),
    operations: counted(workflows.filter(({ type }) => type === OPERATION_TYPE).map(outcomeOf)),
  };
}

function outcomeOf({ id, status, result }: Workflow): string {
  if (status !== 'closed') return `${id}: ${status}`;
  const { name, outcome } = result as OperationResult;
  return `${name}: ${outcome}`;
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(sorted([...counts]));
}

function describe({ state, properties, successors }: Snapshot, status: Workflow['status']) {
  const watched = status === 'running' ? successors : [];
  const known = watched.map((each) => [entityId(each), [each.event, each.outcome?.state]] as const);
  return { state, properties, successors: Object.fromEntries(sorted(known)) };
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
