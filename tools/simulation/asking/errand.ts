import { z } from 'zod';
import {
  affinity,
  CallFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  unstable,
} from '../../../src/definition/index.js';

/*
 * An entity that asks outside, where answers come soon, late, twice, twice differently, wrongly, or never.
 */

export const outside = defineResource('outside', {
  consult: {
    input: z.object({ name: z.string(), part: z.number() }),
    output: z.object({ said: z.number() }),
    answer: 'callback',
    within: '1m',
    withdraw: true,
  },
  book: { input: z.object({ name: z.string(), said: z.number() }), output: z.object({ at: affinity }) },
  /** Has to be done where it was booked. */
  file: { input: z.object({ name: z.string() }), output: z.object({}), answer: 'inline' },
});

export const Errand = defineEntity('Errand', {
  key: z.string(),
  properties: z.object({ parts: z.number().default(0), said: z.array(z.number()).default([]) }),
  states: {
    Absent: initial(),
    Asking: unstable({ retry: { delay: '15s', attempts: 4, exhausted: 'Failed' } }),
    Done: stable(),
    Failed: stable({ health: 'error' }),
  },
  events: {
    begin: { params: z.object({ parts: z.number() }), in: 'Absent' },
    again: { in: ['Done', 'Failed'] },
    /** Asks within its own action, without leaving the state. */
    recheck: { in: ['Done', 'Failed'], stays: true },
    stop: { in: ['Asking', 'Done', 'Failed'], busy: 'abort' },
  },
  actions: {
    begin: { on: 'begin', in: 'Absent', to: 'Asking' },
    ask: { in: 'Asking', to: 'Done' },
    again: { on: 'again', in: ['Done', 'Failed'], to: 'Asking' },
    recheck: { on: 'recheck', in: ['Done', 'Failed'] },
    stop: { on: 'stop', in: ['Asking', 'Done', 'Failed'], to: 'Failed' },
  },
});

export const errand = implementActions(Errand, {
  begin: async (app, { params }) => {
    app.properties.parts = params.parts;
    return app.goTo('Asking');
  },
  ask: async (app) => {
    const { parts } = app.properties;
    const asked = Array.from({ length: parts }, (_, part) => app.call(outside.consult, { name: app.key, part }));
    const said = (await Promise.all(asked)).map((each) => each.said);
    const { at } = await app.call(outside.book, { name: app.key, said: said.length });
    await app.call(outside.file, { name: app.key }, { on: at, takenWithin: '2s' });
    app.properties.said = said;
    return app.goTo('Done');
  },
  again: async (app) => app.goTo('Asking'),
  recheck: async (app) => {
    // Each books what it has heard as soon as it has heard it: in another order of answers, the calls have other names.
    const chains = [9, 8, 7].map(async (part) => {
      const { said } = await app.call(outside.consult, { name: app.key, part });
      // The first takes longer than the others to go on.
      for (let moments = 0; part === 9 && moments < 9; moments++) await undefined;
      await app.call(outside.book, { name: app.key, said });
      return said;
    });
    const heard = await Promise.allSettled(chains);
    const failure = heard.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (!failure) app.properties.said = [9];
    else if (!(failure.reason instanceof CallFailed)) throw failure.reason;
  },
  stop: async (app) => app.goTo('Failed'),
});
