import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deleted, defineEntity, initial, stable, unstable } from '../../src/definition/index.js';
import { ActionScope, type ActionHost } from '../../src/kernel/run/action-scope.js';
import type { PlacedCall } from '../../src/kernel/run/placed-call.js';
import { nextStep } from '../../src/kernel/turns/next.js';
import { Puppet } from '../support/entities.js';

const MINUTE = 60_000;

/** It cools down by a deadline, heats by an automatic action, and takes notes in both states. */
const Kettle = defineEntity('Kettle', {
  key: z.string(),
  properties: z.object({ note: z.string().optional() }),
  states: {
    Absent: initial(),
    Heating: unstable({ retry: { attempts: 3, delay: '1m' } }),
    Hot: stable({ deadline: { after: '10m', raise: 'cool' } }),
    Gone: deleted(),
  },
  events: {
    fill: { in: 'Absent' },
    note: { in: ['Heating', 'Hot'], stays: true },
    warm: { in: ['Heating', 'Hot'] },
    cool: { in: 'Hot', internal: true, stays: true },
    drop: { in: 'Hot' },
  },
  actions: {
    fill: { on: 'fill', in: 'Absent', to: 'Heating' },
    heat: { in: 'Heating', to: ['Hot'] },
    note: { on: 'note', in: ['Heating', 'Hot'], to: ['Hot', 'Gone'] },
    warm: { on: 'warm', in: ['Heating', 'Hot'] },
    cool: { on: 'cool', in: 'Hot', to: 'Gone' },
    drop: { on: 'drop', in: 'Hot', to: 'Gone' },
  },
});

/** It waits longer than its deadline allows. */
const Soaker = defineEntity('Soaker', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Soaking: unstable({ wait: '150s', deadline: { after: '1m', raise: 'hurry' } }),
    Gone: deleted(),
  },
  events: { fill: { in: 'Absent' }, hurry: { in: 'Soaking', internal: true } },
  actions: {
    fill: { on: 'fill', in: 'Absent', to: 'Soaking' },
    soak: { in: 'Soaking', to: 'Gone' },
    hurry: { on: 'hurry', in: 'Soaking', to: 'Gone' },
  },
});

function heating(): Puppet {
  const kettle = new Puppet(Kettle);
  kettle.raise('fill');
  kettle.end('Heating');
  return kettle;
}

function hot(): Puppet {
  const kettle = heating();
  kettle.startAutomatic();
  kettle.end('Hot');
  return kettle;
}

describe('an event that stays (S3.5, S4.5, staying.1)', () => {
  it('puts off no deadline, where another one does', () => {
    const kettle = hot();
    const { enteredAt, version } = kettle.snapshot;
    const due = enteredAt + 10 * MINUTE;
    kettle.now += 4 * MINUTE;
    kettle.raise('note');
    kettle.now += MINUTE;
    kettle.end(undefined, { properties: { note: 'hot' } });
    expect(kettle.snapshot).toMatchObject({ enteredAt, version: version + 1, properties: { note: 'hot' } });
    expect(kettle.next()).toEqual({ kind: 'rest', until: due });
    kettle.raise('warm');
    kettle.end();
    expect(kettle.next()).toEqual({ kind: 'rest', until: kettle.now + 10 * MINUTE });
  });

  it('leaves attempts and delay of the automatic action, where another one starts them anew', () => {
    const kettle = heating();
    kettle.startAutomatic();
    kettle.throws('cold');
    const { nextAttemptAt, attempt, entry } = kettle.snapshot;
    kettle.now += MINUTE / 2;
    kettle.raise('note');
    kettle.end();
    expect(kettle.snapshot).toMatchObject({ state: 'Heating', nextAttemptAt, attempt, entry });
    expect(kettle.snapshot.lastError).toMatchObject({ code: 'cold' });
    expect(kettle.next()).toEqual({ kind: 'rest', until: nextAttemptAt });
    kettle.raise('warm', undefined, { id: 'warm' });
    kettle.end();
    expect(kettle.snapshot).toMatchObject({ attempt: 0, nextAttemptAt: kettle.now });
  });

  it('leaves an entity whose attempts are used up at rest, for an operator', () => {
    const kettle = heating();
    for (let attempt = 1; attempt <= 3; attempt++) {
      if (attempt > 1) kettle.pass();
      kettle.startAutomatic();
      kettle.throws('cold');
    }
    expect(kettle.snapshot.exhausted).toBe(true);
    kettle.raise('note');
    kettle.end();
    expect(kettle.snapshot).toMatchObject({ state: 'Heating', exhausted: true });
    expect(nextStep(Kettle, kettle.snapshot, kettle.now + 60 * MINUTE)).toEqual({ kind: 'rest' });
  });

  it('enters another state as any event does', () => {
    const kettle = heating();
    kettle.startAutomatic();
    kettle.throws('cold');
    kettle.now += MINUTE / 2;
    kettle.raise('note');
    kettle.end('Hot');
    expect(kettle.snapshot).toMatchObject({ state: 'Hot', enteredAt: kettle.now, attempt: 0 });
    expect(kettle.snapshot).not.toHaveProperty('nextAttemptAt');
  });

  it('names its resource calls apart from those of another one in the same entry (S3.4)', async () => {
    const kettle = hot();
    const keys: string[] = [];
    for (const id of ['one', 'two']) {
      kettle.raise('note', undefined, { id });
      const host = {
        now: () => kettle.now,
        snapshot: () => kettle.snapshot,
        call: async ({ idempotencyKey }: PlacedCall) => void keys.push(idempotencyKey),
      };
      const scope = new ActionScope(Kettle, host as unknown as ActionHost);
      await scope.context.call({ activity: 'things.look', shape: { input: z.unknown() } } as never, {} as never);
      kettle.end();
    }
    expect(new Set(keys).size).toBe(2);
  });
});

describe('an event whose action fails (S3.2, S4.5, staying.2, staying.3)', () => {
  it('puts off no deadline', () => {
    const kettle = hot();
    const due = kettle.snapshot.enteredAt + 10 * MINUTE;
    kettle.now += 4 * MINUTE;
    kettle.raise('warm');
    kettle.throws('broken');
    expect(kettle.next()).toEqual({ kind: 'rest', until: due });
    kettle.raise('drop');
    kettle.now = due + MINUTE;
    kettle.throws('broken');
    expect(kettle.next().kind).toBe('timer');
  });

  it('puts off no automatic action, also where a deadline has raised it that is shorter than the wait (S3.5)', () => {
    const kettle = new Puppet(Soaker);
    kettle.raise('fill');
    kettle.end('Soaking');
    const due = kettle.now + 2.5 * MINUTE;
    for (const _ of [1, 2]) {
      kettle.pass();
      kettle.startTimer();
      kettle.throws('broken');
    }
    expect(kettle.next()).toEqual({ kind: 'rest', until: due });
    kettle.now = due;
    expect(kettle.next().kind).toBe('automatic');
  });

  it('begins the deadline anew that has raised it itself, also where it stays', () => {
    const kettle = hot();
    for (const ends of [() => kettle.throws('broken'), () => kettle.end()]) {
      kettle.pass();
      kettle.startTimer();
      ends();
      expect(kettle.next()).toEqual({ kind: 'rest', until: kettle.now + 10 * MINUTE });
    }
  });
});
