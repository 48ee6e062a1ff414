import { z } from 'zod';
import { alreadyDone, defineEntity, initial, stable, unstable } from '../../../src/definition/index.js';

/** The entity of the cases. It has an event for each kind of work. */
export const Valve = defineEntity('Valve', {
  key: z.string(),
  properties: z.object({ value: z.number().default(0), steps: z.number().default(0) }),
  states: {
    Absent: initial(),
    Idle: stable(),
    Lent: stable(),
    Shut: stable(),
    Flushing: unstable({ retry: { attempts: 3 } }),
  },
  events: {
    install: { in: 'Absent', otherwise: { Idle: alreadyDone() } },
    turn: { params: z.object({ value: z.number() }), in: 'Idle' },
    probe: { in: 'Idle' },
    overhaul: { in: 'Idle' },
    repair: { in: 'Idle' },
    inspect: { in: 'Idle' },
    lend: { in: 'Idle' },
    shut: { params: z.object({ value: z.number() }), in: 'Idle' },
    open: { in: 'Shut' },
    giveBack: { params: z.object({ value: z.number() }), in: 'Lent', internal: true, answer: true },
    flush: { params: z.object({ steps: z.number() }), in: 'Idle' },
  },
  actions: {
    install: { on: 'install', in: 'Absent', to: 'Idle' },
    turn: { on: 'turn', in: 'Idle' },
    probe: { on: 'probe', in: 'Idle' },
    overhaul: { on: 'overhaul', in: 'Idle' },
    repair: { on: 'repair', in: 'Idle' },
    inspect: { on: 'inspect', in: 'Idle' },
    lend: { on: 'lend', in: 'Idle', to: 'Lent' },
    shut: { on: 'shut', in: 'Idle', to: 'Shut' },
    open: { on: 'open', in: 'Shut', to: 'Idle' },
    giveBack: { on: 'giveBack', in: 'Lent', to: 'Idle' },
    flush: { on: 'flush', in: 'Idle', to: 'Flushing' },
    goOn: { in: 'Flushing', to: ['Flushing', 'Idle'] },
  },
});
