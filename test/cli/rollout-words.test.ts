import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { statusLines } from '../../src/cli/commands/rollout/words.js';

describe('rollout status (Q2)', () => {
  it('tells a build that was never rolled out from a drained one', () => {
    const lines = statusLines({
      deployment: 'bank',
      builds: [
        { build: 'now', role: 'current', running: 3, served: true },
        { build: 'before', role: 'old', running: 0, served: true },
        { build: 'next', role: 'new', running: 0, served: true },
      ],
      unversioned: 0,
    });
    expect(lines.map(stripVTControlCharacters)).toEqual([
      'bank',
      '  now            new executions begin on it; 3 workflows on it',
      '  before         drained: its workers can be stopped; 0 workflows on it',
      "  next           never rolled out: 'reeve rollout next' begins that; 0 workflows on it",
    ]);
  });
});
