import type { Snapshot } from '../../protocol/snapshot.js';

/**
 * How large actions may let a snapshot grow, in characters of JSON. The ledger has a budget of its own, so that an old entity
 * has as much room as a new one. A thousand successors fit. Both together stay far below the 2 MB at which Temporal ends a
 * workflow.
 */
const SNAPSHOT_BUDGET = 512 * 1024;

const NAMED = 3;

/**
 * Why an action lets the snapshot outgrow its budget: the size and the largest parts; `undefined` when it does not. An action
 * may always make a snapshot smaller that is too large already.
 */
export function outgrows(before: Snapshot, after: Snapshot): string | undefined {
  const size = sizeOf(counted(after));
  if (size <= SNAPSHOT_BUDGET || size <= sizeOf(counted(before))) return undefined;
  const { properties: _, ...others } = counted(after);
  const named = Object.entries(after.properties).map(([name, value]) => [`properties.${name}`, value] as const);
  const parts = [...named, ...Object.entries(others)]
    .map(([name, value]) => ({ name, size: sizeOf(value) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, NAMED)
    .map((part) => `${part.name} ${kilobytes(part.size)}`);
  return `${kilobytes(size)}, where ${kilobytes(SNAPSHOT_BUDGET)} are the most (largest: ${parts.join(', ')})`;
}

/** The parts that an action has to answer for: the others go away by themselves, or have a budget of their own. */
function counted(snapshot: Snapshot) {
  const {
    ledger: _ledger,
    waiting: _waiting,
    doubted: _doubted,
    engagements: _open,
    judgements: _judgements,
    running: _,
    ...rest
  } = snapshot;
  return rest;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function kilobytes(characters: number): string {
  return `${Math.ceil(characters / 1024)} KB`;
}
