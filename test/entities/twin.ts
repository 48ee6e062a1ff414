import { z } from 'zod';
import { defineEntity, implementActions, initial, unstable } from '../../src/definition/index.js';
import { shelf } from './box.js';

/** Works by itself on another one of its kind, which it reserves for that. */
export const Twin = defineEntity('Twin', {
  key: z.string(),
  properties: z.object({ other: z.string().default(''), done: z.number().default(0) }),
  states: { Idle: initial(), Working: unstable({ retry: { delay: '1s' } }) },
  events: { work: { params: z.object({ other: z.string() }), in: 'Idle' } },
  actions: { begin: { on: 'work', in: 'Idle', to: 'Working' }, work: { in: 'Working', to: 'Idle' } },
});

export const twin = implementActions(Twin, {
  begin: async (app, { params }) => {
    app.properties.other = params.other;
    return app.goTo('Working');
  },
  work: async (app) => {
    await app.reserve(Twin, app.properties.other);
    await app.call(shelf.put, { name: app.key });
    app.properties.done++;
    return app.goTo('Idle');
  },
});
