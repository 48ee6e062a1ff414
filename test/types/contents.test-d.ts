/** Links, subordinates, construction and dimensions: what compiles and what must not. S1.1, S1.2, S2.1 */
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import {
  defineEntity,
  implementActions,
  initial,
  link,
  links,
  stable,
  terminal,
  type AnyEntity,
} from '../../src/definition/index.js';
import type { ReeveClient } from '../../src/exports/reeve.js';

const Plain = defineEntity('Plain', {
  key: z.string(),
  properties: z.object({}),
  states: { Here: initial(), There: terminal() },
  events: { go: { in: 'Here' } },
  actions: { go: { on: 'go', in: 'Here', to: 'There' } },
});

const App = defineEntity('App', {
  key: z.string(),
  properties: z.object({ size: z.number(), cluster: z.string().default('west') }),
  links: { server: link('Server', { mustExist: true }), databases: links(Plain) },
  subordinates: { rules: z.object({ from: z.string() }) },
  construct: z.object({ size: z.number(), server: z.string().optional() }),
  fixed: ['cluster'],
  dimensions: { app_id: 'key', cluster_id: 'properties.cluster', server: 'links.server' },
  states: { Absent: initial(), Ready: stable() },
  events: { create: { in: 'Absent' }, grow: { params: z.object({ size: z.number() }), in: 'Ready' } },
  actions: { create: { on: 'create', in: 'Absent', to: 'Ready' }, grow: { on: 'grow', in: 'Ready', to: 'Absent' } },
});

implementActions(App, {
  create: async (app) => {
    app.links.server = 'x';
    app.links.server = undefined;
    // @ts-expect-error a key is a text
    app.links.server = 7;
    // @ts-expect-error an unknown link
    app.links.sevrer = 'x';
    app.links.databases = [...app.links.databases, 'd'];
    // @ts-expect-error one key where there are several
    app.links.databases = 'd';
    app.properties.size = 7;
    // @ts-expect-error only the construction sets it
    app.properties.cluster = 'east';
    // @ts-expect-error an unknown property
    app.properties.clutser = 'east';
    expectTypeOf(app.properties.cluster).toEqualTypeOf<string>();
    app.subordinates.rules['office'] = { from: '10.0.0.1' };
    delete app.subordinates.rules['office'];
    // @ts-expect-error a wrong member
    app.subordinates.rules['office'] = { form: '10.0.0.1' };
    // @ts-expect-error an unknown collection
    app.subordinates.ruels = {};

    app.create(App, 'other', 'create', { construct: { size: 1, server: 's' }, role: 'standby' });
    // @ts-expect-error what it comes to be with is missing
    app.create(App, 'other', 'create');
    // @ts-expect-error a value of another type
    app.create(App, 'other', 'create', { construct: { size: 'big' } });
    // @ts-expect-error not a part of the construction
    app.create(App, 'other', 'create', { construct: { size: 1, cluster: 'east' } });
    await app.createAndWait(App, 'other', 'create', { construct: { size: 1 }, within: '1m' });
    // @ts-expect-error what it comes to be with is missing
    await app.createAndWait(App, 'other', 'create', { within: '1m' });
    app.construct(App, 'other', { size: 1 }, { role: 'standby' });
    // @ts-expect-error a value is missing
    app.construct(App, 'other', {});
    app.construct(Plain, 'other', {});
    app.create(Plain, 'other', 'go');
    // @ts-expect-error nothing can be given
    app.create(Plain, 'other', 'go', { construct: { size: 1 } });
    app.retryAfter('5s');
    // @ts-expect-error no duration
    app.retryAfter('soon');
    return app.goTo('Ready');
  },
  grow: async (app) => app.goTo('Absent'),
});

export async function client(reeve: ReeveClient, any: AnyEntity): Promise<void> {
  await reeve.create(App, 'k', 'create', { construct: { size: 1 }, requestId: 'r' });
  // @ts-expect-error what it comes to be with is missing
  await reeve.create(App, 'k', 'create');
  // @ts-expect-error a value of another type
  await reeve.create(App, 'k', 'create', { construct: { size: 'big' } });
  await reeve.construct(App, 'k', { size: 1 });
  // @ts-expect-error a value is missing
  await reeve.construct(App, 'k', {});
  await reeve.create(Plain, 'k', 'go');
  await reeve.construct(Plain, 'k', {});
  await reeve.createAny(any, 'k', 'create', { construct: { size: 1 } });
}

const common = {
  key: z.string(),
  properties: z.object({ size: z.number().default(1) }),
  states: { A: initial() },
  events: {},
  actions: {},
};
defineEntity('Bad', {
  ...common,
  // @ts-expect-error a construction of something unknown
  construct: z.object({ colour: z.string() }),
});
defineEntity('Bad', {
  ...common,
  // @ts-expect-error a dimension of something unknown
  dimensions: { colour: 'properties.colour' },
});
// @ts-expect-error a misspelt option
links('Room', { mustExists: true });
defineEntity('Bad', {
  ...common,
  links: { rooms: links('Room') },
  // @ts-expect-error a dimension of several links
  dimensions: { rooms: 'links.rooms' },
});
defineEntity('Bad', {
  ...common,
  // @ts-expect-error something unknown that only the construction sets
  fixed: ['colour'],
});
