import { z } from 'zod';
import {
  answerAddress,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';
import { ResourceError } from '../../src/protocol/errors.js';

/** The agent on a machine, which tells when it has written an image. */
export const agents = defineResource('agents', {
  write: { input: z.object({ image: z.string(), done: answerAddress }), output: z.object({}) },
  boot: { input: z.object({ name: z.string(), image: z.string() }), output: z.object({}) },
});

/** How often each machine was asked to boot. */
const boots = new Map<string, number>();

/** The hardware refuses an image, or has no quota for it at first. */
export function boot(name: string, image: string): Record<string, never> {
  const times = (boots.get(name) ?? 0) + 1;
  boots.set(name, times);
  if (image === 'broken') throw new ResourceError('invalid_image', 'The image cannot be booted.');
  if (image === 'large' && times < 8)
    throw new ResourceError('quota_exceeded', 'Too many are under way.', { retryAfter: '1200ms' });
  boots.delete(name);
  return {};
}

/** A machine that is deployed by its agent: the operation lasts until the agent has called back, and the machine has booted. S1.5, A2 */
export const Node = defineEntity('Node', {
  key: z.string(),
  properties: z.object({ image: z.string().optional(), disk: z.string().optional(), looks: z.number().default(0) }),
  states: {
    Available: initial(),
    Deploying: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Failed' } }),
    WaitCallback: stable({ waiting: true, deadline: { after: '1h', raise: 'timedOut' } }),
    Booting: unstable({
      retry: {
        attempts: 3,
        delay: '1s',
        exhausted: 'Failed',
        errors: {
          quota_exceeded: { attempts: 9 },
          invalid_image: { attempts: 1, exhausted: 'Refused' },
        },
      },
    }),
    Active: stable(),
    Failed: stable({ health: 'error' }),
    Refused: stable({ health: 'error' }),
  },
  events: {
    deploy: { params: z.object({ image: z.string() }), in: ['Available', 'Active', 'Failed', 'Refused'] },
    written: { params: z.object({ disk: z.string() }), in: 'WaitCallback', answer: true, internal: true },
    look: { in: ['WaitCallback', 'Active'], stays: true },
    timedOut: { in: 'WaitCallback', internal: true },
  },
  actions: {
    deploy: { on: 'deploy', in: ['Available', 'Active', 'Failed', 'Refused'], to: 'Deploying' },
    write: { in: 'Deploying', to: 'WaitCallback' },
    written: { on: 'written', in: 'WaitCallback', to: 'Booting' },
    boot: { in: 'Booting', to: 'Active' },
    look: { on: 'look', in: ['WaitCallback', 'Active'] },
    timeOut: { on: 'timedOut', in: 'WaitCallback', to: 'Failed' },
  },
});

export const node = implementActions(Node, {
  deploy: async (app, { params }) => {
    app.properties.image = params.image;
    return app.goTo('Deploying');
  },
  write: async (app) => {
    const { image = '' } = app.properties;
    await app.call(agents.write, { image, done: app.answerBy('written', { within: '1h' }) });
    return app.goTo('WaitCallback');
  },
  written: async (app, { params }) => {
    app.properties.disk = params.disk;
    return app.goTo('Booting');
  },
  boot: async (app) => {
    await app.call(agents.boot, { name: app.key, image: app.properties.image ?? '' });
    return app.goTo('Active');
  },
  look: async (app) => {
    app.properties.looks++;
  },
  timeOut: async (app) =>
    app.goTo('Failed', { error: { code: 'agent_silent', message: 'The agent has not called back.' } }),
});
