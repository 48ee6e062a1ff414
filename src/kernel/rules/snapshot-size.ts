import { SNAPSHOT_BYTES } from '../../definition/limits.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { jsonBytes, kilobytes, sizeProblem } from '../../protocol/size-problem.js';

const NAMED = 3;

/**
 * Why an action lets the snapshot outgrow its budget: the size and the largest parts; `undefined` when it does not. An action
 * may always make a snapshot smaller that is too large already.
 */
export function outgrows(before: Snapshot, after: Snapshot): string | undefined {
  if (!sizeProblem(counted(after), SNAPSHOT_BYTES)) return undefined;
  const size = jsonBytes(counted(after));
  if (jsonBytes(chosen(after)) <= jsonBytes(chosen(before))) return undefined;
  const { properties: _, ...others } = counted(after);
  const named = Object.entries(after.properties).map(([name, value]) => [`properties.${name}`, value] as const);
  const parts = [...named, ...Object.entries(others)]
    .map(([name, value]) => ({ name, size: jsonBytes(value) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, NAMED)
    .map((part) => `${part.name} ${kilobytes(part.size)}`);
  return `${kilobytes(size)} (maximum ${kilobytes(SNAPSHOT_BYTES)}; largest: ${parts.join(', ')})`;
}

/** Picks what actions make larger by what they do. An entity at its limit takes whatever does not: another state, an error, an end. */
function chosen({ properties, links, subordinates, successors, callbacks }: Snapshot) {
  return { properties, links, subordinates, successors, callbacks };
}

/** The parts that count: the others go away by themselves, or have a budget of their own. */
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
