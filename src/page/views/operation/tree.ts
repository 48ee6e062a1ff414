import type { CallRow, EventRow } from '../../api/shapes.js';

/** An event with its place in the tree of the operation, and the calls that were made meanwhile by its entity. */
export interface Step {
  readonly row: EventRow;
  /** How deep it stands: 0 for the event that opened the operation. */
  readonly depth: number;
  readonly start: number;
  readonly end: number | undefined;
  readonly calls: readonly CallRow[];
}

/** The events in the order of the tree: each entity below the one that set it off. */
export function stepsOf(events: readonly EventRow[], calls: readonly CallRow[]): readonly Step[] {
  const callsOf = new Map<number | null, CallRow[]>();
  for (const call of calls) callsOf.set(call.event_id, [...(callsOf.get(call.event_id) ?? []), call]);
  const sorted = events.toSorted((one, other) => comparePositions(one, other) || one.event_id - other.event_id);
  return sorted.map((row) => {
    const start = Date.parse(row.start_time);
    const end = row.end_time === null ? undefined : Date.parse(row.end_time);
    return {
      row,
      depth: row.workflow_position.split('.').length - 1,
      start,
      end,
      calls: callsOf.get(row.event_id) ?? [],
    };
  });
}

function comparePositions(one: EventRow, other: EventRow): number {
  const [parts, others] = [one, other].map(({ workflow_position: position }) => position.split('.').map(Number));
  for (let index = 0; index < Math.max(parts!.length, others!.length); index++) {
    const difference = (parts![index] ?? -1) - (others![index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
