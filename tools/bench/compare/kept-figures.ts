import { appendFileSync } from 'node:fs';
import { describeMachine } from '../machine.js';
import type { Difference } from './compare-builds.js';

/** A line of JSON for each comparison, so that a page need not tell what has become slower since when. */
const FILE = 'docs/bench.jsonl';

/** Adds a comparison to the figures that are kept in the repository. */
export function keepFigures(comparison: {
  readonly then: string;
  readonly now: string;
  readonly rounds: number;
  readonly differences: readonly Difference[];
}): void {
  const { differences, ...rest } = comparison;
  const figures = differences.map(({ title: _, ...figure }) => figure);
  const line = { at: new Date().toISOString().slice(0, 10), machine: describeMachine(), ...rest, figures };
  appendFileSync(
    FILE,
    `${JSON.stringify(line, (_, value: unknown) => (typeof value === 'number' ? round(value) : value))}\n`,
  );
}

/** Four significant digits: more of them say nothing. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
