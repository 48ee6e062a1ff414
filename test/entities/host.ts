import { z } from 'zod';
import {
  defineEntity,
  deleted,
  implementActions,
  initial,
  rejection,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';
import { machines } from './job.js';

/** A host that is being deployed: what else comes then waits, is rejected or ends the deployment, as each event declares. */
export const Host = defineEntity('Host', {
  key: z.string(),
  properties: z.object({ notes: z.array(z.string()).default([]) }),
  busy: 'reject',
  states: {
    Enrolled: initial(),
    Deploying: unstable({ busy: rejection('deploying'), retry: { attempts: 3, delay: '30s', exhausted: 'Failed' } }),
    Active: stable(),
    Failed: stable({ health: 'error' }),
    Removed: deleted(),
  },
  events: {
    deploy: { in: ['Enrolled', 'Active', 'Failed'], otherwise: { Removed: rejection('removed') } },
    rebuild: { in: ['Active', 'Failed'] },
    note: { params: z.object({ text: z.string() }), in: ['Deploying', 'Active'], busy: { Deploying: 'wait' } },
    remove: { in: ['Deploying', 'Active', 'Failed'], busy: rejection('host_locked', 'The host is locked.') },
    stop: { in: 'Deploying', busy: 'abort' },
  },
  actions: {
    deploy: { on: 'deploy', in: ['Enrolled', 'Active', 'Failed'], to: 'Deploying' },
    rebuild: { on: 'rebuild', in: ['Active', 'Failed'], to: 'Deploying' },
    install: { in: 'Deploying', to: 'Active' },
    note: { on: 'note', in: ['Deploying', 'Active'] },
    remove: { on: 'remove', in: ['Deploying', 'Active', 'Failed'], to: 'Removed' },
    stop: { on: 'stop', in: 'Deploying', to: 'Failed' },
  },
});

/** Removes a host of the same key. */
export const Janitor = defineEntity('Janitor', {
  key: z.string(),
  properties: z.object({}),
  states: { Idle: initial(), Done: terminal() },
  events: { clean: { in: 'Idle' } },
  actions: { clean: { on: 'clean', in: 'Idle', to: 'Done', raises: ['Host.remove'] } },
});

export const host = implementActions(Host, {
  deploy: async (app) => app.goTo('Deploying'),
  rebuild: async (app) => app.goTo('Deploying'),
  install: async (app) => {
    await app.call(machines.work, { on: app.key });
    return app.goTo('Active');
  },
  note: async (app, { params }) => {
    app.properties.notes = [...app.properties.notes, params.text];
  },
  remove: async (app) => app.goTo('Removed'),
  stop: async (app) => app.goTo('Failed'),
});

export const janitor = implementActions(Janitor, {
  clean: async (app) => {
    app.raise(Host, app.key, 'remove');
    return app.goTo('Done');
  },
});
