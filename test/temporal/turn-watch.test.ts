import { describe, expect, it } from 'vitest';
import { Marks } from '../../src/temporal/watch/marks.js';
import { TurnWatch } from '../../src/temporal/watch/turn-watch.js';

describe('TurnWatch', () => {
  it('finds a turn that computes for 4 s, however long that takes (turn-watch.1)', () => {
    const watch = new TurnWatch();
    const looks = Array.from({ length: 101 }, (_, n) => watch.look(1, () => 1_000 + n * 50));
    expect(looks.indexOf(true)).toBe(80);
  });

  it('counts each turn from its own beginning', () => {
    const watch = new TurnWatch();
    const looks = Array.from({ length: 300 }, (_, n) => watch.look(2 * n + 1, () => n * 3_900));
    expect(looks).not.toContain(true);
  });

  it('finds one that waits without computing (turn-watch.2)', () => {
    const watch = new TurnWatch();
    const looks = Array.from({ length: 300 }, () => watch.look(1, () => 7));
    expect(looks.indexOf(true)).toBe(240);
  });
});

describe('Marks', () => {
  it('tell on the other side whose code runs (marks.1)', () => {
    const [inside, outside] = (({ memory }) => [new Marks(memory), new Marks(memory)] as const)(new Marks());
    expect(outside.turn).toBe(0);
    inside.enter('run-1');
    inside.execute('install 3.1.0');
    const first = outside.turn;
    expect(outside.occupant).toEqual({ runId: 'run-1', execution: 'install 3.1.0' });
    inside.leave();
    expect(outside.turn).toBe(0);
    inside.enter('run-2');
    expect(outside.occupant).toEqual({ runId: 'run-2', execution: '' });
    expect(outside.turn).not.toBe(first);
  });
});
