import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  terminal,
  unstable,
} from '../../src/definition/index.js';

export const bay = defineResource('bay', {
  make: { input: z.object({ disk: z.string() }), output: z.object({ disk: z.string() }) },
  attach: { input: z.object({ disk: z.string() }), output: z.object({}) },
  seal: { input: z.object({ rack: z.string() }), output: z.object({}) },
});

/** Tells of a disk that was attached. */
export const Disk = defineEntity('Disk', {
  key: z.string(),
  properties: z.object({ told: z.number().default(0) }),
  states: { On: initial(), Off: terminal() },
  events: { attached: { in: 'On' }, detach: { in: 'On' } },
  actions: { attached: { on: 'attached', in: 'On', to: 'On' }, detach: { on: 'detach', in: 'On', to: 'Off' } },
});

/** Makes and attaches disks, all at once, and goes on when all are attached. */
export const Rack = defineEntity('Rack', {
  key: z.string(),
  properties: z.object({ disks: z.array(z.string()).default([]) }),
  states: {
    New: initial(),
    Filling: unstable({ retry: { attempts: 50, delay: '1s' } }),
    Full: terminal(),
  },
  events: { fill: { params: z.object({ disks: z.array(z.string()) }), in: 'New' } },
  actions: {
    fill: { on: 'fill', in: 'New', to: 'Filling' },
    work: { in: 'Filling', to: 'Full' },
  },
});

export const disk = implementActions(Disk, {
  attached: async (app) => {
    app.properties.told++;
    return app.goTo('On');
  },
  detach: async (app) => app.goTo('Off'),
});

export const rack = implementActions(Rack, {
  fill: async (app, { params }) => {
    app.properties.disks = params.disks;
    return app.goTo('Filling');
  },
  work: async (app) => {
    await Promise.all(
      app.properties.disks.map(async (name) => {
        const made = await app.call(bay.make, { disk: name });
        await app.call(bay.attach, { disk: made.disk });
        await app.createAndWait(Disk, name, 'attached', { within: '1h' });
      }),
    );
    await app.call(bay.seal, { rack: app.key });
    return app.goTo('Full');
  },
});
