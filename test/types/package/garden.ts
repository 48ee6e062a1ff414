/** Declarations as a package exports them: everything that a declaration can have. */
import {
  all,
  alreadyDone,
  alreadyInProgress,
  and,
  any,
  atLeast,
  defineEntity,
  defineResource,
  deleted,
  initial,
  link,
  links,
  none,
  not,
  or,
  rejection,
  stable,
  terminal,
  unstable,
} from 'reeve/definition';
import { z } from 'zod';

export const water = defineResource('water', {
  pour: { input: z.object({ litres: z.number() }), output: z.object({ left: z.number() }), summary: 'pour {litres}' },
  look: { input: z.object({}), output: z.object({ left: z.number().optional() }), answer: 'inline', timeout: '5s' },
});
export const { pour } = water;

export const absent = initial();
export const growing = unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Withered' } });
export const grown = stable({ deadline: { after: '1h', raise: 'wither' } });
export const wet = rejection('wet');
export const known = { Grown: alreadyDone(), Growing: alreadyInProgress() };

export const Plant = defineEntity('Plant', {
  key: z.string(),
  properties: z.object({ height: z.number().default(0), kind: z.enum(['tree', 'herb']).optional() }),
  links: { garden: link('Garden'), neighbours: links('Plant') },
  subordinates: { leaves: z.object({ green: z.boolean() }) },
  construct: z.object({ height: z.number().optional() }),
  dimensions: { garden: 'links.garden' },
  states: {
    Absent: absent,
    Growing: growing,
    Grown: grown,
    Withered: terminal({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    plant: { params: z.object({ garden: z.string() }), in: 'Absent', otherwise: known },
    pick: { in: 'Grown', otherwise: { Growing: wet } },
    wither: { in: 'Grown', internal: true },
  },
  actions: {
    plant: { on: 'plant', in: 'Absent', to: 'Growing' },
    grow: { in: 'Growing', to: 'Grown' },
    pick: { on: 'pick', in: 'Grown', to: 'Gone' },
    wither: { on: 'wither', in: 'Grown', to: 'Withered' },
  },
});

export const everyPlant = all({ of: Plant, is: 'healthy' });
export const patterns = [
  everyPlant,
  any({ of: Plant, in: 'Grown' }),
  none({ of: 'Weed' }),
  atLeast(2, { role: 'tree' }),
];

export const Garden = defineEntity('Garden', {
  key: z.string(),
  properties: z.object({}),
  states: { Empty: initial(stable({ waiting: false })), Full: stable({ waiting: true }), Closed: terminal() },
  events: { fill: { in: 'Empty' }, close: { in: ['Empty', 'Full'] }, tick: { in: 'Full', internal: true } },
  actions: {
    fill: { on: 'fill', in: 'Empty', to: 'Full', raises: ['Plant.plant'] },
    close: { on: 'close', in: ['Empty', 'Full'], to: 'Closed' },
    tick: { on: 'tick', in: 'Full' },
  },
  subscriptions: {
    grown: {
      when: or(and(everyPlant, not(none({ of: Plant }))), everyPlant),
      raise: 'close',
      timeout: { after: '1h', raise: 'close' },
    },
  },
  timers: { tick: { every: '1h', raise: 'tick' } },
});
export const entities = [Plant, Garden] as const;
