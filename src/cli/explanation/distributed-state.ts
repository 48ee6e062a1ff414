/** `running`, how it ends: `succeeded, cleaning up`, or how it has ended: `succeeded`. */
export function distributedState(state: string | null, outcome: string | null): string {
  if (outcome === null) return state ?? '';
  const word = outcome === 'cancelled' ? 'canceled' : outcome;
  return state === null || state === 'ended' ? word : `${word}, ${ENDING[state] ?? state}`;
}

const ENDING: Readonly<Record<string, string>> = { tidying: 'cleaning up', leaving: 'ending' };
