import { z } from 'zod';
import { all, atLeast, defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';

/** The healthy one beside the others: it answers each beat at once. */
export const Canary = defineEntity('Canary', {
  key: z.string(),
  properties: z.object({ beats: z.number().default(0) }),
  states: { Absent: initial(), Up: stable(), Gone: deleted() },
  events: {
    create: { in: 'Absent' },
    beat: { in: 'Up' },
    toil: { in: 'Up', params: z.object({ ms: z.number() }) },
    remove: { in: 'Up' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Up' },
    beat: { on: 'beat', in: 'Up' },
    toil: { on: 'toil', in: 'Up' },
    end: { on: 'remove', in: 'Up', to: 'Gone' },
  },
});

/** One whose action does what no action should do. Its schemas allow all that code can put there. */
export const Wretch = defineEntity('Wretch', {
  key: z.string(),
  properties: z.object({
    kind: z.string().default(''),
    bag: z.any().optional(),
    text: z.string().default(''),
    count: z.number().default(0),
    record: z.record(z.string(), z.unknown()).default({}),
  }),
  states: {
    Absent: initial(),
    Resting: stable(),
    Acting: unstable({ retry: { attempts: 3, delay: '300ms', exhausted: 'Broken' } }),
    Broken: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent' },
    act: { in: ['Resting', 'Broken'], params: z.object({ kind: z.string() }) },
    touch: { in: ['Resting', 'Broken'] },
    poke: { in: ['Resting', 'Broken'] },
    stop: { in: 'Acting', busy: 'abort' },
    remove: { in: ['Resting', 'Broken'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Resting' },
    take: { on: 'act', in: ['Resting', 'Broken'], to: 'Acting' },
    work: { in: 'Acting', to: 'Resting' },
    touch: { on: 'touch', in: ['Resting', 'Broken'] },
    poke: { on: 'poke', in: ['Resting', 'Broken'], raises: ['Wretch.poke'] },
    stop: { on: 'stop', in: 'Acting', to: 'Broken' },
    end: { on: 'remove', in: ['Resting', 'Broken'], to: 'Gone' },
  },
});

/** Two that raise the same event on each other without an end. */
export const Ping = defineEntity('Ping', {
  key: z.string(),
  properties: z.object({ strokes: z.number().default(0) }),
  states: { Absent: initial(), Up: stable(), Gone: deleted() },
  events: { create: { in: 'Absent' }, strike: { in: 'Up' }, remove: { in: 'Up' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Up' },
    strike: { on: 'strike', in: 'Up', raises: ['Pong.strike'] },
    end: { on: 'remove', in: 'Up', to: 'Gone' },
  },
});
export const Pong = defineEntity('Pong', {
  key: z.string(),
  properties: z.object({ strokes: z.number().default(0) }),
  states: { Absent: initial(), Up: stable(), Gone: deleted() },
  events: { create: { in: 'Absent' }, strike: { in: 'Up' }, remove: { in: 'Up' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Up' },
    strike: { on: 'strike', in: 'Up', raises: ['Ping.strike'] },
    end: { on: 'remove', in: 'Up', to: 'Gone' },
  },
});

/** One whose subscription may fire again each time that its state is entered. */
export const Rearming = defineEntity('Rearming', {
  key: z.string(),
  properties: z.object({ rounds: z.number().default(0) }),
  states: { Absent: initial(), Up: stable(), Gone: deleted() },
  events: { create: { in: 'Absent' }, again: { in: 'Up', internal: true }, remove: { in: 'Up' } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Up', raises: ['Canary.create'] },
    again: { on: 'again', in: 'Up', raises: ['Canary.create'] },
    end: { on: 'remove', in: 'Up', to: 'Gone' },
  },
  subscriptions: {
    some: { when: atLeast(1, { of: Canary, in: 'Up' }), raise: 'again', among: 'life' },
    every: { when: all({ of: Canary, in: 'Up' }), raise: 'again', among: 'life' },
  },
});

export const HOSTILE = [Canary, Wretch, Ping, Pong, Rearming];
