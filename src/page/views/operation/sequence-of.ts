import type { CallRow, EventRow } from '../../api/shapes.js';

/** The lane of what raised the operation, and that of the resources outside. */
export const CALLER = 'Caller';
export const OUTSIDE = 'Resources';

/** More lanes or lines than these cannot be read. */
const MOST_LANES = 12;
const MOST_LINES = 150;

/** One line of the drawing. */
export interface Line {
  readonly kind: 'event' | 'call' | 'state';
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The lane from which it leads, and the one to which; the same for a state that was reached, and for what an entity raises itself. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly failed: boolean;
}

export interface Sequence {
  readonly lanes: readonly string[];
  readonly lines: readonly Line[];
  /** The numbers of lanes and lines that are left out. */
  readonly more: { readonly lanes: number; readonly lines: number };
}

/** The names of events and states for people. */
export interface Words {
  readonly event: (type: string, event: string) => string;
  readonly state: (type: string, state: string) => string;
}

/** An operation as messages between its entities, in the order of time. */
export function sequenceOf(events: readonly EventRow[], calls: readonly CallRow[], words: Words): Sequence {
  const placed = new Map<string, string>();
  for (const row of events) if (!placed.has(row.workflow_position)) placed.set(row.workflow_position, entityOf(row));
  const all = [
    ...events.flatMap((row) => linesOf(row, placed, words)),
    ...calls.map((call): Line => {
      const entity = `${call.entity_type}/${call.entity_key}`;
      const failed = call.error_code !== null;
      const text = failed ? `${call.call_name}: ${call.error_code}` : call.call_name;
      return { kind: 'call', at: Date.parse(call.start_time), from: entity, to: OUTSIDE, text, failed };
    }),
    // Lines that begin in one millisecond are in the order of cause and effect.
  ].toSorted((one, other) => one.at - other.at || ORDER[one.kind] - ORDER[other.kind]);
  const seen = new Set(all.flatMap(({ from, to }) => [from, to]));
  const entities = [...seen].filter((lane) => lane !== CALLER && lane !== OUTSIDE);
  const shown = [
    ...(seen.has(CALLER) ? [CALLER] : []),
    ...entities.slice(0, MOST_LANES),
    ...(seen.has(OUTSIDE) ? [OUTSIDE] : []),
  ];
  const lines = all.filter(({ from, to }) => shown.includes(from) && shown.includes(to)).slice(0, MOST_LINES);
  return {
    lanes: shown,
    lines,
    more: { lanes: entities.length - Math.min(entities.length, MOST_LANES), lines: all.length - lines.length },
  };
}

const ORDER = { event: 0, call: 1, state: 2 };

function linesOf(row: EventRow, placed: ReadonlyMap<string, string>, words: Words): readonly Line[] {
  const { state_machine_type: type, event, event_type: kind, workflow_position: position } = row;
  const entity = entityOf(row);
  const raised: Line = {
    ...{ kind: 'event', at: Date.parse(row.start_time), to: entity },
    from: kind === 'raised' ? raiserOf(position, placed) : entity,
    text: words.event(type, event),
    failed: false,
  };
  const states = (row.transitions ?? [])
    .filter((each) => each.end_state !== each.start_state || each.outcome !== 'success')
    .map(({ transition_time: at, end_state: state, end_state_health: health, outcome }): Line => {
      const failed = health === 'error' || (outcome !== 'success' && outcome !== 'aborted');
      const text = words.state(type, state) + (outcome === 'success' ? '' : ` (${outcome})`);
      return { kind: 'state', at: Date.parse(at), from: entity, to: entity, text, failed };
    });
  return [raised, ...states];
}

/** The entity above in the tree of the operation; the caller for the first one, and for what has joined without a place. */
function raiserOf(position: string, placed: ReadonlyMap<string, string>): string {
  return placed.get(position.split('.').slice(0, -1).join('.')) ?? CALLER;
}

function entityOf({ state_machine_type: type, keys }: EventRow): string {
  return `${type}/${keys}`;
}

/** A line in words. */
export function lineInWords({ kind, from, to, text }: Line): string {
  switch (kind) {
    case 'event':
      return from === to ? `${from} raises ${text} by itself` : `${from} raises ${text} on ${to}`;
    case 'call':
      return `${from} calls ${text}`;
    case 'state':
      return `${from} is in ${text}`;
  }
}
