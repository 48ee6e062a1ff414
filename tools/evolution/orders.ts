import { z } from 'zod';
import { defineEntity, deleted, initial, stable } from '../../src/definition/index.js';
import type { StoreRecord } from '../../src/protocol/records.js';

/** The number of months that the way back forgets. */
const LOST = 23;

/** An order as an older build declares it. */
export const OldOrder = defineEntity('Order', {
  key: z.string(),
  properties: z.object({ months: z.number().default(0), plan: z.string().default('basic') }),
  states: { New: initial(), Paying: stable(), Paused: stable(), Gone: deleted() },
  events: {
    pay: { params: z.object({ months: z.number() }), in: ['New', 'Paying'] },
    pause: { in: 'Paying' },
    leave: { in: ['Paying', 'Paused'] },
  },
  actions: {
    pay: { on: 'pay', in: ['New', 'Paying'], to: 'Paying' },
    pause: { on: 'pause', in: 'Paying', to: 'Paused' },
    leave: { on: 'leave', in: ['Paying', 'Paused'], to: 'Gone' },
  },
});

/**
 * The same today: a state is gone, and a plan is one of two, which the plan `gold` of some orders is not. The way back makes of 23 months
 * what is no number of months.
 */
export const Order = defineEntity('Order', {
  schema: 2,
  migrations: {
    2: {
      up: ({ state, properties }) => ({
        ...(state === 'Paused' && { state: 'Paying' as const }),
        properties: { credits: Number(properties['months']) * 10, plan: properties['plan'] as 'basic' | 'plus' },
      }),
      down: ({ properties: { credits, plan } }) => ({
        properties: { months: credits === LOST * 10 ? null : Number(credits) / 10, plan },
      }),
    },
  },
  key: z.string(),
  properties: z.object({ credits: z.number().default(0), plan: z.enum(['basic', 'plus']).default('basic') }),
  states: { New: initial(), Paying: stable(), Gone: deleted() },
  events: {
    pay: { params: z.object({ months: z.number() }), in: ['New', 'Paying'] },
    leave: { in: 'Paying' },
  },
  actions: {
    pay: { on: 'pay', in: ['New', 'Paying'], to: 'Paying' },
    leave: { on: 'leave', in: 'Paying', to: 'Gone' },
  },
});

/** The truth about the records of `orders`. */
export interface Truth {
  live: number;
  paused: number;
  /** With a plan that does not fit. */
  gold: number;
  /** With a plan that fits, and with months that the way back forgets. */
  lost: number;
  /** Raised in the last 30 days: `pause`. */
  pauses: number;
}

const DAY_MS = 86_400_000;

/** The records of so many live orders, and of some that are gone. Adds to what is true of them. */
export function* orders(live: number, now: number, truth: Truth): Generator<readonly StoreRecord[]> {
  for (let number = 0; truth.live < live; number++) {
    const key = `order-${String(number).padStart(6, '0')}`;
    const entity = { type: 'Order', key, life: `life-${number}` };
    const deleted = number % 11 === 0;
    const state = deleted ? 'Gone' : number % 7 === 0 ? 'Paused' : 'Paying';
    const plan = number % 97 === 0 ? 'gold' : number % 2 === 0 ? 'basic' : 'plus';
    const pausedAt = now - (number % 60) * DAY_MS - 1_000;
    if (!deleted) truth.live++;
    if (state === 'Paused') truth.paused++;
    if (!deleted && plan === 'gold') truth.gold++;
    if (!deleted && plan !== 'gold' && number % 24 === LOST) truth.lost++;
    if (state === 'Paused' && number % 60 < 30) truth.pauses++;
    yield [
      {
        ...{ kind: 'entity', entity, bornAt: now - 90 * DAY_MS, version: 2, state, health: 'normal', settled: true },
        ...{ deleted, enteredAt: pausedAt, properties: { months: number % 24, plan }, links: {}, subordinates: {} },
        ...{ dimensions: {}, at: pausedAt },
      },
      ...(state === 'Paused'
        ? [
            {
              ...{ kind: 'event' as const, id: `pause-${number}`, entity, operation: `pause-${number}`, position: '1' },
              ...{ event: 'pause', eventType: 'raised' as const, startState: 'Paying', startVersion: 1 },
              ...{ startedAt: pausedAt, endState: 'Paused', endHealth: 'normal' as const, endedAt: pausedAt + 5 },
              ...{ restarts: 0, dimensions: {} },
            },
          ]
        : []),
    ];
  }
}
