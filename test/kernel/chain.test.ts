import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, none, stable, terminal } from '../../src/definition/index.js';
import { LONGEST_CHAIN } from '../../src/kernel/index.js';
import { beginStep, endStep } from '../../src/kernel/callbacks/call-steps.js';
import { explainEntity } from '../../src/kernel/explain/explain.js';
import { stuckEntity } from '../../src/kernel/explain/stuck.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import type { Report } from '../../src/protocol/report.js';
import { Alarm, Ball, Carousel } from '../entities/round.js';
import { Puppet } from '../support/entities.js';

/** Time enters its state anew, where a subscription is met without end. */
const Bell = defineEntity('Bell', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Down: initial(),
    Up: stable({ deadline: { after: '0.5s', raise: 'swing' } }),
    Gone: terminal(),
  },
  events: {
    hang: { in: 'Down' },
    swing: { in: 'Up' },
    ring: { in: 'Up' },
    look: { in: 'Up' },
    remove: { in: 'Up' },
  },
  actions: {
    hang: { on: 'hang', in: 'Down', to: 'Up' },
    swing: { on: 'swing', in: 'Up', to: 'Up' },
    ring: { on: 'ring', in: 'Up', to: 'Up', raises: ['Other.event'] },
    look: { on: 'look', in: 'Up', to: 'Up' },
    remove: { on: 'remove', in: 'Up', to: 'Gone' },
  },
  subscriptions: { quiet: { when: none({ of: 'Other', is: 'settled' }), raise: 'ring' } },
});

const from = { type: 'Ball', key: 'other', life: 'life-2', judges: false };

/** A carousel that goes round until it may not any more. */
function turning(): Puppet {
  const carousel = new Puppet(Carousel);
  carousel.raise('turn', {});
  carousel.end('Up', { waitMs: 0 });
  while (carousel.next().kind === 'automatic') {
    carousel.startAutomatic();
    if (carousel.snapshot.state === 'Up') carousel.end('Down');
    else carousel.end('Up', { waitMs: 0 });
  }
  return carousel;
}

/** An alarm whose successor has settled, so that it rings. */
function ringing(): Puppet {
  const alarm = new Puppet(Alarm);
  alarm.raise('arm');
  const request = { id: 'turn-it', event: 'turn' };
  alarm.end('On', { raises: [{ to: { type: 'Carousel', key: 'c' }, creates: true, request, judges: true }] });
  alarm.report(settled());
  return alarm;
}

function settled(more: Partial<Report> = {}): Report {
  return {
    kind: 'report',
    from: { type: 'Carousel', key: 'c', life: 'life-c' },
    toLife: 'life-1',
    version: 3,
    outcome: { state: 'Over', version: 3, health: 'normal', waiting: false },
    ended: ['turn-it'],
    ...more,
  };
}

describe('a chain of actions that begin each other (S1.5a)', () => {
  it('ends with an action that fails, as if its attempts were used up (chain.1, chain.3)', () => {
    const { snapshot, records } = turning();
    expect(snapshot).toMatchObject({ state: 'Broken', failure: { code: 'infinite_loop' } });
    const last = records.findLast((record) => record.kind === 'transition')!;
    expect(last).toMatchObject({
      action: 'rise',
      outcome: 'exhausted',
      error: { kind: 'defect', code: 'infinite_loop' },
    });
    expect(last.error?.message).toContain('Carousel/k.sink -> Carousel/k.rise');
    expect(snapshot.version).toBe(LONGEST_CHAIN + 1);
  });

  it('begins anew with each event from outside (chain.1)', () => {
    const carousel = turning();
    carousel.raise('look');
    carousel.end();
    expect(carousel.snapshot.chain).toBeUndefined();
  });

  it('is not made longer by an action that runs after a wait (chain.2)', () => {
    const carousel = new Puppet(Carousel);
    carousel.raise('turn', {});
    carousel.end('Up', { waitMs: 0 });
    carousel.startAutomatic();
    expect(carousel.snapshot.chain).toEqual({ length: 2 });
    carousel.end('Down');
    carousel.startAutomatic();
    carousel.end('Up');
    expect(carousel.snapshot.chain).toEqual({ length: 3, waits: true });
    carousel.pass();
    carousel.startAutomatic();
    expect(carousel.snapshot.chain).toBeUndefined();
  });

  it('begins anew when a resource has answered, unless that was inline (chain.2)', () => {
    const carousel = new Puppet(Carousel);
    carousel.raise('turn', {});
    carousel.end('Up', { waitMs: 0 });
    carousel.startAutomatic();
    const answered = (mode: 'activity' | 'inline') =>
      endStep(beginStep(carousel.snapshot, { place: 1, call: 'x.y', mode }, 0), 1, 0).chain;
    expect([answered('inline'), answered('activity')]).toEqual([{ length: 2 }, undefined]);
  });

  it('of a subscription that is met again and again ends where the entity rests, and says so (chain.3)', () => {
    const alarm = ringing();
    for (let rings = 1; alarm.snapshot.running; rings++) {
      expect(rings).toBeLessThanOrEqual(LONGEST_CHAIN);
      alarm.end();
    }
    const { snapshot } = alarm;
    expect(snapshot).toMatchObject({ state: 'On', exhausted: true, lastError: { code: 'infinite_loop' } });
    expect(alarm.next().kind).toBe('rest');
    expect(stuckEntity(Alarm, snapshot)).toMatchObject({
      reason: 'exhausted',
      message: expect.stringContaining("'ring' is in an infinite loop"),
      whatToDo: expect.stringContaining('reeve retry Alarm/k'),
    });
    expect(explainEntity(Alarm, snapshot)).toContainEqual(
      expect.objectContaining({ kind: 'exhausted', action: 'ring' }),
    );
    const told = alarm.effects.findLast((effect) => effect.kind === 'tell')!.message;
    expect(told).toMatchObject({ outcome: { health: 'error', waiting: false, error: { code: 'infinite_loop' } } });
  });

  it('that time begins again and again goes round only once, and an event from outside has all of it (chain.5)', () => {
    const bell = new Puppet(Bell);
    bell.raise('hang');
    bell.end('Up');
    const ringOut = () => {
      let actions = 0;
      for (; bell.snapshot.running; actions++) bell.end();
      expect(bell.snapshot).toMatchObject({ state: 'Up', exhausted: true, lastError: { code: 'infinite_loop' } });
      return actions;
    };
    expect(ringOut()).toBe(LONGEST_CHAIN);

    let actions = 0;
    for (const until = bell.now + 60_000; bell.now < until; actions += ringOut()) {
      bell.pass();
      bell.startTimer();
    }
    // The clock goes round 120 times.
    expect(actions).toBeGreaterThan(120);
    expect(actions).toBeLessThan(120 * 20);

    bell.raise('look');
    expect(ringOut()).toBe(1 + LONGEST_CHAIN);
    bell.now += 60_000;
    bell.startTimer();
    expect(ringOut()).toBe(1 + LONGEST_CHAIN);
  });

  it('is taken up again by an operator, and by an event (chain.3)', () => {
    const alarm = ringing();
    while (alarm.snapshot.running) alarm.end();
    const stuck = alarm.snapshot;
    alarm.raise(RETRY_EVENT);
    expect(alarm.snapshot).toMatchObject({ exhausted: false, running: { kind: 'event', action: 'ring' } });
    alarm.end('Done');
    expect(alarm.snapshot.state).toBe('Done');

    alarm.snapshot = stuck;
    alarm.raise('end');
    alarm.end('Done');
    expect(alarm.snapshot).toMatchObject({ state: 'Done', exhausted: false });
  });

  it('goes on with a report, and begins anew with one that something else has led to (chain.1, chain.2)', () => {
    const alarm = new Puppet(Alarm);
    alarm.raise('arm');
    const request = { id: 'turn-it', event: 'turn' };
    alarm.end('On', { raises: [{ to: { type: 'Carousel', key: 'c' }, creates: true, request, judges: true }] });
    const before = alarm.snapshot;
    alarm.report(settled({ chain: { length: 41 } }));
    expect(alarm.snapshot.chain).toEqual({ length: 42 });
    alarm.snapshot = { ...before, chain: { length: 41 } };
    alarm.report(settled());
    expect(alarm.snapshot.chain).toEqual({ length: 2 });
  });

  it('goes on with what it raises on others, who reject what would make it too long (chain.1, chain.3)', () => {
    const ball = new Puppet(Ball);
    const chain = { length: LONGEST_CHAIN - 1, last: ['Ball/other.spin'] };
    ball.raise('serve', { to: 'x' }, { from, operation: 'op', chain });
    const last = ['Ball/other.spin', 'Ball/k.serve'];
    expect(ball.snapshot.chain).toEqual({ length: LONGEST_CHAIN, last });
    const raises = [
      { to: { type: 'Ball', key: 'x' }, creates: true, request: { id: 'on', event: 'serve' }, judges: false },
    ];
    ball.end('Spinning', { raises });
    const sent = ball.effects.find((effect) => effect.kind === 'create')!.creation;
    expect(sent).toMatchObject({ request: { chain: { length: LONGEST_CHAIN, last } } });

    const other = new Puppet(Ball, 'x');
    const { event, ...request } = sent.request!;
    const answer = other.raise(event, { to: 'k' }, { ...request, params: { to: 'k' } });
    expect(answer).toMatchObject({ status: 'rejected', rejection: { code: 'infinite_loop' } });
    expect(JSON.stringify(answer)).toContain('Ball/other.spin -> Ball/k.serve -> Ball/x.serve');
  });
});
