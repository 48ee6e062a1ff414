import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

type Operation = StoreViews['operations'];
type Event = StoreViews['state_machine_events'];
type Transition = StoreViews['state_machine_transitions'];

/** An event with its transitions, in their order. */
export interface EventDetails extends Event {
  readonly transitions: readonly Transition[];
}

/** An operation with everything that belongs to it. S5.1 */
export interface OperationDetails extends Operation {
  /** The workflow that tells it: its own, or that of the entity on which it settled. S5.6 */
  readonly workflow_id: string;
  /** The events in start order; only the first ones of a very large operation. */
  readonly events: readonly EventDetails[];
}

/** The most events of one operation that are read at once. Page through the view for more. */
const EVENTS = 1_000;

/** One operation, by its number or its request id, with its events and their transitions; `undefined` when it is unknown. */
export async function readOperation(
  reader: StoreReader,
  name: { readonly operationId: number } | { readonly requestId: string },
): Promise<OperationDetails | undefined> {
  const operations = reader.selectFrom('operations').selectAll();
  const operation = await (
    'requestId' in name
      ? operations.where('request_id', '=', name.requestId)
      : operations.where('operation_id', '=', name.operationId)
  ).executeTakeFirst();
  if (!operation) return undefined;
  const { workflow_id } = await reader
    .selectFrom('executions')
    .select('workflow_id')
    .where('level', '=', 'operation')
    .where('id', '=', operation.operation_id)
    .executeTakeFirstOrThrow();
  const events = await reader
    .selectFrom('state_machine_events')
    .selectAll()
    .where('operation_id', '=', operation.operation_id)
    .orderBy('event_id')
    .limit(EVENTS)
    .execute();
  const ids = events.map(({ event_id }) => event_id);
  const transitions = await reader
    .selectFrom('state_machine_transitions')
    .selectAll()
    .where('event_id', 'in', ids.length === 0 ? [-1] : ids)
    .orderBy('event_id')
    .orderBy('transition_ordinal')
    .execute();
  const byEvent = new Map<number, Transition[]>(ids.map((id) => [id, []]));
  for (const transition of transitions) byEvent.get(transition.event_id ?? -1)?.push(transition);
  return {
    ...operation,
    workflow_id,
    events: events.map((event) => ({ ...event, transitions: byEvent.get(event.event_id) ?? [] })),
  };
}
