import {
  atLeast,
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  not,
  stable,
  unstable,
} from 'reeve/definition';
import { z } from 'zod';

export const machines = defineResource('machines', {
  boot: { input: z.object({ name: z.string() }), output: z.object({ address: z.string() }), summary: 'boot {name}' },
});

export const Server = defineEntity('Server', {
  key: z.string(),
  properties: z.object({ address: z.string().optional() }),
  states: {
    Absent: initial(),
    Booting: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Broken' } }),
    Running: stable(),
    Broken: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent' },
    fail: { in: 'Running' }, // by your monitoring
    remove: { in: ['Running', 'Broken'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Booting' },
    boot: { in: 'Booting', to: 'Running' },
    fail: { on: 'fail', in: 'Running', to: 'Broken' },
    remove: { on: 'remove', in: ['Running', 'Broken'], to: 'Gone' },
  },
});

const SIZE = 3;
const complete = atLeast(SIZE, { of: Server, in: 'Running' });

/** Keeps three servers running: it replaces those that break, and those that are lost, whose workflow was terminated. */
export const Fleet = defineEntity('Fleet', {
  key: z.string(),
  properties: z.object({ created: z.int().default(0) }),
  states: {
    Absent: initial(),
    // A new server may break as well: after a minute, it is replaced too.
    Filling: stable({ waiting: true, deadline: { after: '1m', raise: 'refill' } }),
    Complete: stable(),
  },
  events: {
    create: { in: 'Absent' },
    refill: { in: ['Filling', 'Complete'], internal: true },
    filled: { in: 'Filling', internal: true },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Filling', raises: ['Server.create'] },
    refill: { on: 'refill', in: ['Filling', 'Complete'], to: 'Filling', raises: ['Server.create', 'Server.remove'] },
    filled: { on: 'filled', in: 'Filling', to: 'Complete' },
  },
  subscriptions: {
    // Servers of all operations count, not only those that the present one has created.
    filled: { when: complete, raise: 'filled', among: 'life' },
    tooFew: { when: not(complete), raise: 'refill', in: 'Complete', among: 'life' },
  },
});

export const server = implementActions(Server, {
  begin: async (self) => self.goTo('Booting'),
  boot: async (self) => {
    self.properties.address = (await self.call(machines.boot, { name: self.key })).address;
    return self.goTo('Running');
  },
  fail: async (self) => self.goTo('Broken'),
  remove: async (self) => self.goTo('Gone'),
});

/** The keys of the next servers, which no earlier server has had. */
function newKeys(self: { readonly key: string; readonly properties: { created: number } }, count: number) {
  return Array.from({ length: count }, () => `${self.key}-${++self.properties.created}`);
}

export const fleet = implementActions(Fleet, {
  begin: async (self) => {
    for (const key of newKeys(self, SIZE)) self.create(Server, key, 'create');
    return self.goTo('Filling');
  },
  refill: async (self) => {
    const running = self.successors.filter(({ state, lost }) => state === 'Running' && !lost);
    const broken = self.successors.filter(({ state, lost }) => state === 'Broken' && !lost);
    for (const { key } of broken) self.raise(Server, key, 'remove');
    for (const key of newKeys(self, SIZE - running.length)) self.create(Server, key, 'create');
    return self.goTo('Filling');
  },
  filled: async (self) => self.goTo('Complete'),
});
