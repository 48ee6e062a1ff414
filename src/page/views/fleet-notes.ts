import type { EntityCount, ServedType, TransitionSummary } from '../api/shapes.js';
import type { Notes } from '../../diagram/drawing.js';
import { lasting } from '../parts/time.js';

/** Gives what the diagram of a type says of its entities: how many are in each state, and what went along each arrow. */
export function fleetNotes(
  type: ServedType,
  counts: readonly EntityCount[],
  flow: TransitionSummary | undefined,
  chosen: string | undefined,
): Notes {
  const states = type.states.map(({ name }) => {
    const mine = counts.filter(({ state }) => state === name);
    const sum = (pick: 'total' | 'stuck' | 'hung') => mine.reduce((all, each) => all + each[pick], 0);
    const p95 = flow?.states.find((each) => each.type === type.name && each.state === name)?.p95_ms;
    const words = [
      sum('total') > 0 ? String(sum('total')) : '',
      sum('stuck') > 0 ? `${sum('stuck')} stuck` : '',
      sum('hung') > 0 ? `${sum('hung')} hung` : '',
      p95 === null || p95 === undefined ? '' : `p95 ${lasting(p95)}`,
    ];
    const classes = [
      sum('total') === 0 ? 'none' : 'some',
      sum('stuck') > 0 ? 'stuck' : '',
      chosen === name ? 'chosen' : '',
    ];
    return [name, { text: words.filter(Boolean).join(' · '), classes: classes.filter(Boolean).join(' ') }] as const;
  });
  return { states: Object.fromEntries(states), arrows: arrowNotes(type, flow) };
}

function arrowNotes(type: ServedType, flow: TransitionSummary | undefined): NonNullable<Notes['arrows']> {
  const notes = new Map<string, { total: number; failed: number }>();
  for (const each of flow?.transitions ?? []) {
    if (each.type !== type.name) continue;
    const ends = `${each.start_state} ${each.end_state}`;
    const note = notes.get(ends) ?? { total: 0, failed: 0 };
    notes.set(ends, { total: note.total + each.total, failed: note.failed + each.failed });
  }
  return Object.fromEntries(
    [...notes].map(([ends, { total, failed }]) => [
      ends,
      {
        text: failed > 0 ? `${total} (${failed} failed)` : String(total),
        classes: failed > 0 ? 'used failed' : 'used',
      },
    ]),
  );
}
