import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
} from '../../src/definition/index.js';

const input = z.object({ key: z.string() });
const output = z.object({ by: z.string() });

/** The same call, in the two ways between which its declaration changes. A7 */
export const signaturesByActivity = defineResource('signatures', {
  sign: { input, output, timeout: '5m' },
});
export const signaturesByCallback = defineResource('signatures', {
  sign: { input, output, answer: 'callback', within: '1d' },
});

export const Contract = defineEntity('Contract', {
  key: z.string(),
  properties: z.object({ by: z.array(z.string()).default([]) }),
  states: { Draft: initial(stable()), Signed: terminal() },
  events: { sign: { in: 'Draft' } },
  actions: { sign: { on: 'sign', in: 'Draft', to: 'Signed' } },
});

/** Two signatures one after the other: the declaration may change before, during and between them. */
export function contractWith({ sign }: typeof signaturesByActivity | typeof signaturesByCallback) {
  return implementActions(Contract, {
    sign: async (app) => {
      const first = await app.call(sign as typeof signaturesByActivity.sign, { key: app.key });
      const second = await app.call(sign as typeof signaturesByActivity.sign, { key: `${app.key}-2` });
      app.properties.by = [first.by, second.by];
      return app.goTo('Signed');
    },
  });
}
