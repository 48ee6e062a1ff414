import { z } from 'zod';
import type { Description } from '../../src/components/index.js';
import {
  defineEntity,
  defineResource,
  endRecord,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';

/** The notes that components of a rig write down, in the order in which they do. */
export const pad = defineResource('pad', {
  note: { input: z.object({ on: z.string(), text: z.string() }), output: z.object({ text: z.string() }) },
});

const tree = z.object({ tree: z.custom<Description>((given) => typeof given === 'object') });

/** Somebody who runs any tree of components that is asked for, in a state or in an action. W1 */
export const Rig = defineEntity('Rig', {
  key: z.string(),
  properties: z.object({
    tree: z.custom<Description>((given) => typeof given === 'object').optional(),
    end: endRecord.optional(),
    visits: z.number().default(0),
  }),
  states: {
    New: initial(),
    Up: stable({ deploys: 'tree', ended: 'ended', endWithin: '30s' }),
    Acting: unstable(),
    Over: terminal(),
  },
  events: {
    deploy: { params: tree, in: 'New' },
    act: { params: tree, in: 'New' },
    visit: { in: 'Up' },
    leave: { in: 'Up' },
    ended: { params: endRecord, in: 'Up', internal: true },
  },
  actions: {
    deploy: { on: 'deploy', in: 'New', to: 'Up' },
    act: { on: 'act', in: 'New', to: 'Acting' },
    run: { in: 'Acting', to: 'Over' },
    visit: { on: 'visit', in: 'Up' },
    leave: { on: 'leave', in: 'Up', to: 'Over' },
    hearOfEnd: { on: 'ended', in: 'Up', to: 'Over' },
  },
});

export const rig = implementActions(
  Rig,
  {
    deploy: async (app, { params }) => {
      app.properties.tree = params.tree;
      return app.goTo('Up');
    },
    act: async (app, { params }) => {
      app.properties.tree = params.tree;
      return app.goTo('Acting');
    },
    run: async (app) => {
      app.properties.end = await app.run(app.properties.tree!);
      return app.goTo('Over');
    },
    visit: async (app) => {
      app.properties.visits++;
    },
    leave: async (app) => app.goTo('Over'),
    hearOfEnd: async (app, { params }) => {
      app.properties.end = params;
      return app.goTo('Over');
    },
  },
  { deploys: { tree: ({ properties }) => properties.tree! } },
);
