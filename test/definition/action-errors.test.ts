import { expect, it } from 'vitest';
import { z } from 'zod';
import * as definition from '../../src/definition/index.js';
import { fakeResource, ResourceError, simulate } from '../../src/simulation/index.js';

const { CallFailed, defineEntity, defineResource, implementActions, initial, terminal } = definition;

const post = defineResource('post', { send: { input: z.object({}), output: z.object({}) } });
const Letter = defineEntity('Letter', {
  key: z.string(),
  properties: z.object({}),
  states: { Written: initial(), Sent: terminal(), Returned: terminal({ health: 'error' }) },
  events: { send: { in: 'Written' } },
  actions: { send: { on: 'send', in: 'Written', to: ['Sent', 'Returned'] } },
});
const letter = implementActions(Letter, {
  send: async (app) => {
    try {
      await app.call(post.send, {});
      return app.goTo('Sent');
    } catch (thrown) {
      if (thrown instanceof CallFailed && thrown.call === 'post.send' && thrown.code === 'no_such_address') {
        return app.goTo('Returned', { error: thrown });
      }
      throw thrown;
    }
  },
});

it('an action tells a failed call by the class that stands beside defineEntity, and goes where it decides (S3.3)', async () => {
  const send = () => {
    throw new ResourceError('no_such_address', 'nobody lives there');
  };
  const sim = simulate([letter], { resources: [fakeResource(post, { send })] });
  const taken = await sim.create(Letter, 'one', 'send');
  expect(await sim.result(taken)).toMatchObject({ outcome: 'failed' });
  expect(sim.read(Letter, 'one').state).toBe('Returned');
});

it('authors of actions have every error that is thrown into an action (S3.3, S3.8)', () => {
  const names = [
    'Aborted',
    'CallFailed',
    'CollectFailed',
    'Defect',
    'GivenUp',
    'LinkTargetAbsent',
    'ReservationEnded',
    'WaitRefused',
    'WaitTimedOut',
  ];
  const isError = (value: unknown) => typeof value === 'function' && value.prototype instanceof Error;
  const errors = Object.entries(definition).filter(([, value]) => isError(value));
  expect(errors.map(([name]) => name).sort()).toEqual([...names, 'DeclarationError'].sort());
});
