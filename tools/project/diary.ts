import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * An entity whose schemas take other values than they give, which a bundler or another version of zod may change.
 */

const DEFINITION = `import { defineEntity, deleted, initial, stable } from 'reeve/definition';
import { z } from 'zod';

const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const Diary = defineEntity('Diary', {
  key: z.iso.date(),
  properties: z.object({ pages: z.int().default(0), written: instant.optional() }),
  states: { Absent: initial(), Open: stable(), Gone: deleted() },
  events: {
    create: { in: 'Absent' },
    write: { in: 'Open', params: z.object({ pages: z.coerce.number(), at: instant }) },
    remove: { in: 'Open' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Open' },
    write: { on: 'write', in: 'Open' },
    remove: { on: 'remove', in: 'Open', to: 'Gone' },
  },
  roles: { read: ['reader', 'author', 'operator'], raise: ['author', 'operator'], operate: ['operator'] },
});
`;

const ACTIONS = `import { implementActions } from 'reeve/definition';
import { Diary } from './diary.js';

export const diary = implementActions(Diary, {
  begin: async (self) => self.goTo('Open'),
  write: async (self, { params }) => {
    self.properties.pages += params.pages;
    self.properties.written = new Date(params.at.getTime() + 1);
  },
  remove: async (self) => self.goTo('Gone'),
});
`;

/** Adds the entity to a project that `reeve init` has made. */
export async function addDiary(folder: string): Promise<void> {
  const file = (name: string) => join(folder, 'src', name);
  await writeFile(file('diary.ts'), DEFINITION);
  await writeFile(file('diary-actions.ts'), ACTIONS);
  await change(file('definitions.ts'), (text) => `${text}export { Diary } from './diary.js';\n`);
  await change(file('workflows.ts'), (text) =>
    `import { diary } from './diary-actions.js';\n${text}`.replace(
      'entityWorkflows(site)',
      'entityWorkflows(site, diary)',
    ),
  );
}

async function change(path: string, by: (text: string) => string): Promise<void> {
  await writeFile(path, by(await readFile(path, 'utf8')));
}
