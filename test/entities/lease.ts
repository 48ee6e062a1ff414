import { z } from 'zod';
import { all, defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';
import { Box } from './box.js';

/** A thing that time changes: inspected each hour while it is held, and given up when something takes too long. */
export const Lease = defineEntity('Lease', {
  key: z.string(),
  properties: z.object({ inspections: z.number().default(0) }),
  states: {
    Absent: initial(),
    Granting: unstable({
      retry: { delay: '3m', growth: 1, maxDelay: '3m' },
      deadline: { after: '10m', raise: 'expire' },
    }),
    Held: stable({ deadline: { after: '150m', raise: 'expire' } }),
    Handing: stable({ waiting: true }),
    Expired: stable({ health: 'error' }),
    Deleted: deleted(),
  },
  events: {
    request: { in: 'Absent' },
    renew: { in: ['Held', 'Expired'] },
    inspect: { in: 'Held' },
    hand: { in: 'Held' },
    handed: { in: 'Handing' },
    giveUp: { in: 'Handing' },
    expire: { in: ['Granting', 'Held'] },
    end: { in: ['Held', 'Expired'] },
  },
  actions: {
    begin: { on: 'request', in: 'Absent', to: ['Granting', 'Held'] },
    grant: { in: 'Granting', to: 'Held' },
    renew: { on: 'renew', in: ['Held', 'Expired'], to: 'Held' },
    inspect: { on: 'inspect', in: 'Held' },
    hand: { on: 'hand', in: 'Held', to: 'Handing' },
    finish: { on: 'handed', in: 'Handing', to: 'Held' },
    giveUp: { on: 'giveUp', in: 'Handing', to: 'Expired' },
    expire: { on: 'expire', in: ['Granting', 'Held'], to: 'Expired' },
    end: { on: 'end', in: ['Held', 'Expired'], to: 'Deleted' },
  },
  subscriptions: {
    boxes: { when: all({ of: Box, in: 'Placed' }), raise: 'handed', timeout: { after: '5m', raise: 'giveUp' } },
  },
  timers: { inspection: { every: '1h', raise: 'inspect' } },
});
