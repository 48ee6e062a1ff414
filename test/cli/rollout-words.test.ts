import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { statusLines } from '../../src/cli/commands/rollout/words.js';

const UNDONE = { state: 'rolled_back', since: 1, by: 'ada@ops-1', endedBy: 'ben@ops-2', reason: 'it is slow' } as const;

describe('rollout status (Q2)', () => {
  it('tells a build that was never rolled out from a drained one', () => {
    const lines = statusLines({
      deployment: 'bank',
      builds: [
        { build: 'now', role: 'current', running: 3, served: true },
        { build: 'before', role: 'old', running: 0, served: true, note: UNDONE },
        { build: 'next', role: 'new', running: 0, served: true },
      ],
      unversioned: 0,
    });
    expect(lines.map(stripVTControlCharacters)).toEqual([
      'bank',
      '  now            new executions begin on it; 3 workflows on it',
      '  before         drained: its workers can be stopped; 0 workflows on it; rolled back by ben@ops-2, because it is slow',
      "  next           never rolled out: 'reeve rollout next' begins that; 0 workflows on it",
    ]);
  });
});
