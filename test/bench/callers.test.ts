import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { crowd, oneAfterAnother } from '../../tools/bench/callers.js';
import { chosen, readOptions } from '../../tools/bench/options.js';

describe('callers', () => {
  it('one after the other never overlap', async () => {
    let under = 0;
    const calls = await oneAfterAnother(3, async () => {
      expect(++under).toBe(1);
      await delay(2);
      under--;
    });
    expect(calls).toHaveLength(3);
  });

  it('in a crowd call all at once, and what ends after the time does not count', async () => {
    let late = () => {};
    let under = 0;
    let together = () => {};
    const all = new Promise<void>((resolve) => (together = resolve));
    const { ms, perSecond, ended } = await crowd(
      3,
      50,
      async (caller) => {
        if (++under === 3) together();
        await all;
        await (caller === 0 ? new Promise<void>((resolve) => (late = resolve)) : delay(5));
      },
      async () => late(),
    );
    expect(ended).toBeGreaterThan(ms.length);
    expect(perSecond).toBe(ms.length / 0.05);
  });

  it('in a crowd fail when a call fails in time', async () => {
    await expect(crowd(2, 50, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});

describe('the options of the bench', () => {
  it('name cases by how they begin, and list them when there is none', () => {
    const cases = [{ name: 'one-turn' }, { name: 'one-probe' }, { name: 'read' }];
    expect(chosen(cases, 'one')).toHaveLength(2);
    expect(chosen(cases)).toHaveLength(3);
    expect(() => chosen(cases, 'two')).toThrow('The cases are: one-turn, one-probe, read.');
  });

  it('do not mix profiles with tables', () => {
    expect(readOptions(['--only', 'read', '--quick'])).toMatchObject({ only: 'read', quick: true, json: false });
    expect(() => readOptions(['--profile', 'read', '--json'])).toThrow('only with --quick');
  });
});
