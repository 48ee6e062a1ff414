import { z } from 'zod';
import {
  all,
  defineEntity,
  deleted,
  initial,
  keyOf,
  link,
  rejection,
  stable,
  terminal,
} from '../../src/definition/index.js';

/** Berths are told apart by where they are: their key has several parts. S1.1 */
export const Berth = defineEntity('Berth', {
  key: z.object({ harbour: z.string(), side: z.enum(['left', 'right']), number: z.int().min(-99) }),
  properties: z.object({ label: z.string().default('') }),
  links: { next: link('Berth') },
  subordinates: { ropes: z.object({ length: z.int() }) },
  dimensions: { port: 'key.harbour', berth_id: 'key' },
  states: { Absent: initial(), Open: stable(), Gone: deleted() },
  events: {
    open: { params: z.object({ label: z.string().optional() }), in: 'Absent' },
    extend: { params: z.object({ by: z.number() }), in: 'Open' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    extend: { on: 'extend', in: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Gone' },
  },
});

/** The berth that a watch is kept of. */
export const FIRST = { harbour: 'north, quay 1', side: 'left', number: 1 } as const;

/** Watches one berth, which it names by its parts. */
export const Watch = defineEntity('Watch', {
  key: z.string(),
  properties: z.object({ seen: z.string().optional() }),
  states: { Absent: initial(), Waiting: stable({ waiting: true }), Kept: terminal() },
  events: { begin: { in: 'Absent' }, opened: { in: 'Waiting', internal: true } },
  actions: {
    begin: { on: 'begin', in: 'Absent', to: 'Waiting' },
    keep: { on: 'opened', in: 'Waiting', to: 'Kept' },
  },
  subscriptions: { first: { when: all({ of: Berth, key: FIRST, in: 'Open' }), raise: 'opened' } },
});

/** A light of a berth: there has to be one. */
export const Light = defineEntity('Light', {
  key: z.object({ harbour: z.string(), number: z.int() }),
  properties: z.object({}),
  states: { Absent: initial(), Lit: terminal() },
  events: {
    light: {
      in: 'Absent',
      needs: {
        type: 'Berth',
        key: z
          .object({ harbour: z.string(), number: z.int() })
          .transform((light) => keyOf(Berth, { ...light, side: 'left' })),
        unless: {},
        absent: rejection('no_berth', 'There is no such berth'),
      },
    },
  },
  actions: { light: { on: 'light', in: 'Absent', to: 'Lit' } },
});
