/** `running`, how it ends: `succeeded, cleaning up`, or how it has ended: `succeeded`. */
export function distributedState(state: string | null, outcome: string | null): string {
  if (outcome === null) return state ?? '';
  const word = outcome === 'cancelled' ? 'canceled' : outcome;
  return state === null || state === 'ended' ? word : `${word}, ${ENDING[state] ?? state}`;
}

/** An operation, and its instance where it is one over partitions. */
export interface OperationStanding {
  readonly workflow_end_time: unknown;
  readonly outcome: string | null;
  readonly '@reeve.instance_state'?: string;
  readonly '@reeve.instance_outcome'?: string;
}

/** How the instance of an operation over partitions is, while the operation runs. */
export function runningInstance({
  workflow_end_time: end,
  '@reeve.instance_state': state,
  '@reeve.instance_outcome': outcome,
}: OperationStanding): { readonly state: string; readonly outcome: string | null } | undefined {
  return end === null && state !== undefined ? { state, outcome: outcome ?? null } : undefined;
}

/** How an operation is, or has ended: one over partitions as in the list of those. */
export function operationState(operation: OperationStanding): string {
  const instance = runningInstance(operation);
  return instance ? distributedState(instance.state, instance.outcome) : (operation.outcome ?? 'running');
}

const ENDING: Readonly<Record<string, string>> = { tidying: 'cleaning up', leaving: 'ending' };
