import { z } from 'zod';
import { parallel } from '../../src/components/index.js';
import {
  defineEntity,
  deleted,
  endRecord,
  implementActions,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';
import { Daemon } from './shop.js';

/** A station whose processes run while it is on the air. W1 */
export const Station = defineEntity('Station', {
  key: z.string(),
  properties: z.object({
    lines: z.array(z.string()).default([]),
    visits: z.number().default(0),
    /** How often its processes have ended by themselves, and how. */
    ends: z.array(endRecord).default([]),
    /** How many actions that hear of an end fail before one succeeds. */
    deaf: z.number().default(0),
  }),
  states: {
    Off: initial(),
    Preparing: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Broken' } }),
    OnAir: stable({ deploys: 'processes', ended: 'processesEnded', endWithin: '30s' }),
    Serving: stable({ deploys: 'guard', ended: 'processesEnded', endWithin: '30s' }),
    Closing: unstable(),
    Broken: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    open: { params: z.object({ lines: z.array(z.string()) }), in: ['Off', 'Broken'] },
    visit: { in: ['OnAir', 'Serving'] },
    guard: { in: 'OnAir' },
    close: { in: ['OnAir', 'Serving'] },
    remove: { in: ['Off', 'OnAir', 'Serving', 'Broken'] },
    processesEnded: { params: endRecord, in: ['OnAir', 'Serving'], internal: true },
  },
  actions: {
    open: { on: 'open', in: ['Off', 'Broken'], to: 'Preparing' },
    prepare: { in: 'Preparing', to: 'OnAir' },
    visit: { on: 'visit', in: ['OnAir', 'Serving'] },
    guard: { on: 'guard', in: 'OnAir', to: 'Serving' },
    close: { on: 'close', in: ['OnAir', 'Serving'], to: 'Closing' },
    turnOff: { in: 'Closing', to: 'Off' },
    remove: { on: 'remove', in: ['Off', 'OnAir', 'Serving', 'Broken'], to: 'Gone' },
    hearOfEnd: { on: 'processesEnded', in: ['OnAir', 'Serving'], to: 'Broken' },
  },
});

export const station = implementActions(
  Station,
  {
    open: async (app, { params }) => {
      app.properties.lines = params.lines;
      return app.goTo('Preparing');
    },
    prepare: async (app) => app.goTo('OnAir'),
    visit: async (app) => {
      app.properties.visits++;
    },
    guard: async (app) => app.goTo('Serving'),
    close: async (app) => app.goTo('Closing'),
    turnOff: async (app) => app.goTo('Off'),
    remove: async (app) => app.goTo('Gone'),
    hearOfEnd: async (app, { params }) => {
      app.properties.ends.push(params);
      return app.goTo('Broken');
    },
  },
  {
    deploys: {
      processes: ({ properties: { lines } }) => {
        if (lines.includes('impossible')) throw new RangeError('No process can be started with that line.');
        return parallel(Object.fromEntries(lines.map((line, n) => [`process${n}`, Daemon({ commandLine: line })])));
      },
      guard: ({ key }) => Daemon({ commandLine: `guard of ${key}` }),
    },
  },
);
