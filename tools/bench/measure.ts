import type { Case, Values } from './case.js';
import { compare, type Row } from './comparison.js';
import type { Pace } from './pace.js';
import type { Rig } from './rig.js';
import { SIDES, type SideName } from './side-name.js';

/** Measures a case on both sides in turn. Each round begins with the other side than the one before it. */
export async function measure(rig: Rig, measured: Case, pace: Pace): Promise<readonly Row[]> {
  const rounds: Record<SideName, Values[]> = { raw: [], reeve: [] };
  const keys: Record<SideName, readonly string[]> = { raw: [], reeve: [] };
  const play = (side: SideName, round: number) =>
    measured.round({ side: rig[side], keys: keys[side], pace, rig, round });
  try {
    for (const side of SIDES) keys[side] = (await measured.prepare?.(rig[side], pace)) ?? [];
    for (let round = -(measured.warmUps ?? 1); round < 0; round++) for (const side of SIDES) await play(side, round);
    const count = Math.min(measured.rounds ?? Infinity, pace.rounds);
    for (let round = 0; round < count; round++) {
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) rounds[side].push(await play(side, round));
    }
  } finally {
    for (const side of SIDES) await rig[side].clear();
  }
  return compare(measured, rounds);
}
