import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * An entity that needs others, for a project that `reeve init` has made: it hears when one of them is lost.
 */

const DEFINITION = `import { alreadyDone, any, all, defineEntity, deleted, initial, stable } from 'reeve/definition';
import { z } from 'zod';

const roles = { read: ['reader'], raise: ['author'], operate: ['operator'] };

export const Ship = defineEntity('Ship', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Running: stable(), Gone: deleted() },
  events: {
    launch: { in: 'Absent', otherwise: { Running: alreadyDone() } },
    // Its code never ends.
    drift: { in: 'Running' },
    scrap: { in: 'Running' },
  },
  actions: {
    launch: { on: 'launch', in: 'Absent', to: 'Running' },
    drift: { on: 'drift', in: 'Running' },
    scrap: { on: 'scrap', in: 'Running', to: 'Gone' },
  },
  roles,
});

export const Fleet = defineEntity('Fleet', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Launching: stable({ waiting: true }),
    Ready: stable(),
    Degraded: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    launch: { in: 'Absent', params: z.object({ ships: z.int() }) },
    launched: { in: 'Launching' },
    fewer: { in: 'Ready' },
    scrap: { in: ['Ready', 'Degraded'] },
  },
  actions: {
    launch: { on: 'launch', in: 'Absent', to: 'Launching', raises: ['Ship.launch'] },
    finish: { on: 'launched', in: 'Launching', to: 'Ready' },
    degrade: { on: 'fewer', in: 'Ready', to: 'Degraded' },
    scrap: { on: 'scrap', in: ['Ready', 'Degraded'], to: 'Gone' },
  },
  subscriptions: {
    launched: { when: all({ of: Ship, is: 'settled' }), raise: 'launched', among: 'life' },
    lost: { when: any({ of: Ship, is: 'lost' }), raise: 'fewer', among: 'life' },
  },
  roles,
});
`;

const ACTIONS = `import { implementActions } from 'reeve/definition';
import { Fleet, Ship } from './fleet.js';

export const ship = implementActions(Ship, {
  launch: async (self) => self.goTo('Running'),
  drift: async () => {
    for (;;);
  },
  scrap: async (self) => self.goTo('Gone'),
});

export const fleet = implementActions(Fleet, {
  launch: async (self, { params }) => {
    for (let number = 1; number <= params.ships; number++) self.create(Ship, self.key + '-' + number, 'launch');
    return self.goTo('Launching');
  },
  finish: async (self) => self.goTo('Ready'),
  degrade: async (self) => self.goTo('Degraded'),
  scrap: async (self) => self.goTo('Gone'),
});
`;

/** Adds the entity to the project of a folder. */
export async function addFleet(folder: string): Promise<void> {
  const source = join(folder, 'src');
  await writeFile(join(source, 'fleet.ts'), DEFINITION);
  await writeFile(join(source, 'fleet-actions.ts'), ACTIONS);
  await change(join(source, 'definitions.ts'), (text) => `${text}export { Fleet, Ship } from './fleet.js';\n`);
  await change(join(source, 'workflows.ts'), (text) =>
    `import { fleet, ship } from './fleet-actions.js';\n${text}`.replace(
      'entityWorkflows(site)',
      'entityWorkflows(site, fleet, ship)',
    ),
  );
}

async function change(path: string, by: (text: string) => string): Promise<void> {
  await writeFile(path, by(await readFile(path, 'utf8')));
}
