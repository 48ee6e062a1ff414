import { z } from 'zod';
import {
  CollectFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  type CollectOptions,
} from '../../../src/definition/index.js';

/*
 * Somebody who asks many at once, by every way of a call, and goes on with some of the answers. A3
 */

const input = z.object({ name: z.string(), part: z.number() });
const output = z.object({ said: z.number() });

export const crowd = defineResource('crowd', {
  write: { input, output, answer: 'callback', within: '1m', withdraw: true },
  phone: { input, output },
  glance: { input, output, answer: 'inline' },
});

const rule = z.union([z.enum(['all', 'first', 'deadline']), z.object({ answers: z.number() })]);

/** The question that is asked. Each letter is a call: written, phoned, or glanced. */
const question = z.object({
  ways: z.array(z.enum(['write', 'phone', 'glance'])),
  rule,
  atOnce: z.number(),
  none: z.enum(['fail', 'empty']),
  several: z.enum(['first', 'fail', 'last']).optional(),
});

export type Question = z.output<typeof question>;

/** All that came of it. */
const outcome = z.object({
  code: z.string(),
  /** For each call: what was said, or why nothing was. */
  each: z.array(z.union([z.number(), z.string()])),
  answers: z.array(z.number()),
  tookMs: z.number(),
});

export const WITHIN_MS = 30_000;

export const Survey = defineEntity('Survey', {
  key: z.string(),
  properties: z.object({ question: question.optional(), outcome: outcome.optional(), times: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: {
    open: { in: 'Absent' },
    ask: { params: question, in: 'Open' },
    stop: { in: 'Open', busy: 'abort' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    ask: { on: 'ask', in: 'Open' },
    stop: { on: 'stop', in: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

export const survey = implementActions(Survey, {
  open: async (app) => app.goTo('Open'),
  ask: async (app, { params }) => {
    const { ways, rule, atOnce, none, several } = params;
    const startedAt = app.now();
    const options: CollectOptions<z.output<typeof output>> = {
      ...{ until: rule, within: WITHIN_MS, atOnce, none },
      // Odd answers do not count.
      match: ({ said }) => said % 2 === 0,
      ...(several && { several: several === 'last' ? (answers) => answers.at(-1)! : several }),
    };
    const calls = ways.map(
      (way, part) => [crowd[way], { name: app.key, part: part * 2 + (part % 3 === 2 ? 1 : 0) }] as const,
    );
    let [code, answers] = ['', [] as readonly number[]];
    const collected = await app.collect(calls, options).then(
      (collection) => {
        answers = collection.answers.map(({ output: { said } }) => said);
        return collection.results;
      },
      (thrown: unknown) => {
        if (!(thrown instanceof CollectFailed)) throw thrown;
        code = thrown.code;
        return thrown.results;
      },
    );
    const each = collected.map((result) => {
      if (result.status === 'answered') return (result.output as { readonly said: number }).said;
      return result.status === 'failed' ? result.code : result.status;
    });
    app.properties.question = params;
    app.properties.outcome = { code, each, answers: [...answers], tookMs: app.now() - startedAt };
    app.properties.times++;
  },
  stop: async () => undefined,
  close: async (app) => app.goTo('Closed'),
});
