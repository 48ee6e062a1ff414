import { z } from 'zod';
import {
  CollectFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
} from '../../src/definition/index.js';
import { ResourceError } from '../../src/protocol/errors.js';

const input = z.object({ part: z.number() });
const output = z.object({ said: z.number() });

/** People who are asked the same by every way of a call. */
export const crowd = defineResource('crowd', {
  write: { input, output, answer: 'callback', within: '1d', withdraw: true },
  phone: { input, output },
  glance: { input, output, answer: 'inline' },
});

/** Gives what somebody says: ten times the number of the part; those with an odd one are busy. */
export function reply(part: number): { readonly said: number } {
  if (part % 2 === 1) throw new ResourceError('busy', `part ${part} is busy`);
  return { said: part * 10 };
}

const way = z.enum(['write', 'phone', 'glance']);
const rule = z.union([z.enum(['all', 'first', 'deadline']), z.object({ answers: z.number() })]);

/** Somebody who asks one, or many at once. A3, A7 */
export const Survey = defineEntity('Survey', {
  key: z.string(),
  properties: z.object({
    heard: z.array(z.union([z.number(), z.string()])).default([]),
    answers: z.number().default(0),
  }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: {
    open: { in: 'Absent' },
    ask: { params: z.object({ way, part: z.number() }), in: 'Open' },
    collect: {
      params: z.object({ parts: z.array(z.object({ way, part: z.number() })), until: rule, within: z.number() }),
      in: 'Open',
    },
    compare: { in: 'Open' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    ask: { on: 'ask', in: 'Open', to: 'Open' },
    collect: { on: 'collect', in: 'Open', to: 'Open' },
    compare: { on: 'compare', in: 'Open', to: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

export const survey = implementActions(Survey, {
  open: async (app) => app.goTo('Open'),
  ask: async (app, { params: { way, part } }) => {
    const { said } = await app.call(crowd[way], { part });
    app.properties.heard = [said];
    return app.goTo('Open');
  },
  collect: async (app, { params: { parts, until, within } }) => {
    const calls = parts.map(({ way, part }) => [crowd[way], { part }] as const);
    const { results, answers } = await app.collect(calls, { until, within, none: 'empty' }).catch((thrown: unknown) => {
      if (!(thrown instanceof CollectFailed)) throw thrown;
      return { results: thrown.results, answers: [] };
    });
    app.properties.heard = results.map((each) => {
      if (each.status === 'answered') return (each.output as { readonly said: number }).said;
      return each.status === 'failed' ? each.code : each.status;
    });
    app.properties.answers = answers.length;
    return app.goTo('Open');
  },
  compare: async (app) => {
    const ask = async (way: 'write' | 'phone', part: number) => (await app.call(crowd[way], { part })).said;
    const slowly = async () => {
      await ask('write', 1);
      for (let moments = 0; moments < 5; moments++) await undefined;
      return ask('phone', 2);
    };
    const both = await Promise.all([slowly(), ask('write', 3).then(() => ask('phone', 4))]);
    app.properties.heard = [...both, await ask('write', 5)];
    return app.goTo('Open');
  },
  close: async (app) => app.goTo('Closed'),
});
