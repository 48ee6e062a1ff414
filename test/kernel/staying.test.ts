import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { any, deleted, defineEntity, initial, stable, unstable } from '../../src/definition/index.js';
import { ActionScope, type ScopeHost } from '../../src/kernel/author/action-scope.js';
import type { PlacedCall } from '../../src/kernel/run/placed-call.js';
import { entryName } from '../../src/kernel/triggers/staying.js';
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

/** It has a deadline, a time-out and a timer that are shorter than what its attempts take. */
const Press = defineEntity('Press', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Pressing: unstable({
      retry: { attempts: 3, delay: '150s', growth: 1, maxDelay: '150s' },
      deadline: { after: '1m', raise: 'hurry' },
    }),
    Gone: deleted(),
  },
  events: {
    fill: { in: 'Absent' },
    hurry: { in: 'Pressing', internal: true },
    knock: { in: 'Pressing', internal: true },
    helped: { in: 'Pressing', internal: true },
    tired: { in: 'Pressing', internal: true },
    push: { in: 'Pressing' },
  },
  actions: {
    fill: { on: 'fill', in: 'Absent', to: 'Pressing' },
    press: { in: 'Pressing', to: 'Gone' },
    hurry: { on: 'hurry', in: 'Pressing', to: ['Pressing', 'Gone'] },
    knock: { on: 'knock', in: 'Pressing', to: 'Gone' },
    helped: { on: 'helped', in: 'Pressing', to: 'Gone' },
    tired: { on: 'tired', in: 'Pressing', to: 'Gone' },
    push: { on: 'push', in: 'Pressing', to: 'Gone' },
  },
  subscriptions: { help: { when: any({ of: Kettle }), raise: 'helped', timeout: { after: '4m', raise: 'tired' } } },
  timers: { knock: { every: '45s', raise: 'knock' } },
});

/** A press of which nothing comes: its automatic action fails, and so does all that time raises. Gives what was started. */
function pressing({
  until,
  failing = true,
}: {
  readonly until: (press: Puppet) => boolean;
  readonly failing?: boolean;
}) {
  const press = new Puppet(Press);
  press.raise('fill');
  press.end('Pressing');
  const started: string[] = [];
  for (let step = 0; step < 100 && !until(press); step++) {
    if (press.next().kind === 'rest') press.pass();
    if (press.next().kind === 'automatic') press.startAutomatic();
    else press.startTimer();
    const { action, kind } = press.snapshot.running!;
    started.push(kind === 'automatic' ? `${action} ${press.snapshot.attempt}` : action);
    if (failing || kind === 'automatic') press.throws('broken');
    else press.end();
  }
  return { press, started };
}

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
        reading: <T>(_: string, read: () => T) => read(),
        snapshot: () => kettle.snapshot,
        isAlone: () => true,
        call: async ({ idempotencyKey }: PlacedCall) => void keys.push(idempotencyKey),
      };
      const scope = new ActionScope(Kettle, host as unknown as ScopeHost);
      await scope.context.call(
        { activity: 'things.look', shape: { input: z.unknown(), output: z.unknown() } } as never,
        {} as never,
      );
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

  it('starts no attempts anew where time has raised it, so that they are used up (S3.5, staying.4)', () => {
    const { press, started } = pressing({ until: ({ snapshot }) => snapshot.exhausted });
    expect(started.filter((each) => each.startsWith('press'))).toEqual(['press 1', 'press 2', 'press 3']);
    expect(started).toContain('hurry');
    expect(started).toContain('knock');
    expect(press.snapshot).toMatchObject({ state: 'Pressing', exhausted: true, attempt: 3 });
    const { entry, exhaustedAt } = press.snapshot;
    press.pass();
    press.startTimer();
    press.throws('broken');
    expect(press.snapshot).toMatchObject({ exhausted: true, attempt: 3, entry, exhaustedAt });
    press.raise('push');
    press.throws('broken');
    expect(press.snapshot).toMatchObject({ exhausted: false, attempt: 0 });
  });

  it('puts off no other deadline or time-out than its own (staying.2, staying.3)', () => {
    const { press, started } = pressing({ until: ({ snapshot }) => snapshot.version > 12 });
    const born = press.snapshot.bornAt;
    expect(started).toContain('tired');
    expect(started.slice(0, started.indexOf('tired')).filter((each) => each === 'hurry').length).toBe(4);
    expect(press.snapshot.enteredAt).toBe(born);
  });

  it('has names of its own for its resource calls each time (S3.4)', async () => {
    const press = new Puppet(Press);
    press.raise('fill');
    press.end('Pressing');
    press.startAutomatic();
    const names = [entryName(Press, press.snapshot)];
    press.throws('broken');
    for (const _ of [1, 2]) {
      press.pass();
      press.startTimer();
      names.push(entryName(Press, press.snapshot));
      press.throws('broken');
    }
    expect(new Set(names).size).toBe(3);
    while (press.next().kind !== 'automatic') {
      press.pass();
      if (press.next().kind === 'automatic') break;
      press.startTimer();
      press.throws('broken');
    }
    press.startAutomatic();
    // It is another attempt of the same calls.
    expect(entryName(Press, press.snapshot)).toBe(names[0]);
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
