import { describe, expect, it } from 'vitest';
import type { Pause } from '../../src/kernel/turns/next.js';
import type { EntityDriver } from '../../src/kernel/run/driver.js';
import { LiveEntity } from '../../src/kernel/run/live-entity.js';
import { Stepping, type Steps } from '../../src/kernel/life/stepping.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

function steps(step: Steps['step']) {
  const live = new LiveEntity(Box, { records: {} } as EntityDriver, {
    snapshot: new Puppet(Box).snapshot,
    effects: [],
  });
  return { live, stepping: new Stepping(live, { step }) };
}

/** Steps that take time until they are let go, as often as there is work. */
function slow(work: number) {
  const taken: (() => void)[] = [];
  let left = work;
  const step = (): Pause | Promise<undefined> => {
    if (left === 0) return { kind: 'rest' };
    left--;
    return new Promise((done) => taken.push(() => done(undefined)));
  };
  return { ...steps(step), taken, add: () => left++ };
}

const calm = () => new Promise((resolve) => setImmediate(resolve));

describe('the steps of an entity', () => {
  it('are taken one after the other, whoever asks for them (S2.4, stepping.1)', async () => {
    const { stepping, taken } = slow(2);
    const pauses = Promise.all([stepping.advance(), stepping.advance()]);
    stepping.begin();
    expect(taken).toHaveLength(1);
    taken[0]!();
    await calm();
    expect(taken).toHaveLength(2);
    taken[1]!();
    expect(await pauses).toEqual([{ kind: 'rest' }, { kind: 'rest' }]);
  });

  it('are waited for also when more have been begun meanwhile (stepping.1)', async () => {
    const { live, stepping, taken, add } = slow(1);
    let paused = false;
    const advanced = stepping.advance().then(() => (paused = true));
    void live.passed().then(() => {
      add();
      stepping.begin();
    });
    taken[0]!();
    await calm();
    expect([taken.length, paused]).toEqual([2, false]);
    taken[1]!();
    await advanced;
  });

  it('are passing until they come to what outlasts the task (S2.3)', async () => {
    let called!: () => void;
    let ended = false;
    const { live, stepping } = steps(() => {
      if (ended) return { kind: 'rest' };
      return live
        .outlast(() => new Promise<void>((done) => (called = done)))
        .then(() => {
          ended = true;
          return undefined;
        });
    });
    expect(stepping.passing).toBe(false);
    const pause = stepping.advance();
    expect(stepping.passing).toBe(false);
    called();
    await calm();
    expect(await pause).toEqual({ kind: 'rest' });
    expect(stepping.passing).toBe(false);
  });

  it('throw to whoever runs the entity, once and for all (stepping.2)', async () => {
    const { live, stepping } = steps(() => {
      throw new Error('broken');
    });
    stepping.begin();
    expect(live.failed).toBe(true);
    live.fail(new Error('later'));
    await expect(stepping.advance()).rejects.toThrow('broken');
  });
});
