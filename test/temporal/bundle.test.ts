import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import { schemasApart } from '../../src/temporal/bundled-schemas.js';

let folder: string;
beforeAll(async () => {
  // Inside the project, so that `reeve` is found by its name.
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  await mkdir(dist, { recursive: true });
  folder = await mkdtemp(join(dist, 'bundle-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function bundled(name: string, from: string): Promise<string> {
  const workflowsPath = join(folder, `${name}.js`);
  const source = `import { CallFailed } from '${from}';\nexport default () => new CallFailed('a.b', 'c', '${name}');\n`;
  await writeFile(workflowsPath, source);
  return (await bundleWorkflows({ workflowsPath })).code;
}

describe('workflow code', () => {
  it('has the errors that its actions catch from reeve/definition (S3.3)', async () => {
    expect(await bundled('good', 'reeve/definition')).toContain('good');
  });

  it('that imports reeve itself is refused in one line, with what to import instead (S1.5)', async () => {
    const refused = bundled('hasty', 'reeve');
    await expect(refused).rejects.toThrow(
      new TypeError(
        `Workflow code cannot import 'reeve', as ${join(folder, 'hasty.js')} does: ` +
          `import it from 'reeve/definition', which has all that declarations and actions need.`,
      ),
    );
  });

  it.each(['node:fs', 'fs', 'node:fs/promises'])(
    'that imports %s is refused in one line, with its file and what to do instead (S1.5)',
    async (module) => {
      const file = join(folder, 'touching.js');
      await writeFile(file, `import * as it from '${module}';\nexport default () => it.readFile('x');\n`);
      await expect(bundleWorkflows({ workflowsPath: file })).rejects.toThrow(
        new TypeError(
          `Workflow code cannot import '${module}', as ${file} does: it runs again from its history, and so may not touch ` +
            `what is outside. Do this in a call of a resource (implementResource), whose module no workflow code imports, ` +
            `and call that from the action.`,
        ),
      );
    },
  );

  it('has the schemas that are declared, and a bundler that changes one is found with its place (S1.1, S1.5a)', async () => {
    const declarations = join(folder, 'diary.js');
    await writeFile(declarations, DIARY);
    const workflowsPath = join(folder, 'diary-workflows.js');
    const workflows = `import { entityWorkflows } from 'reeve/workflows';\nimport { diary } from './diary.js';\n`;
    await writeFile(workflowsPath, `${workflows}export default entityWorkflows(diary);\n`);
    const { code } = await bundleWorkflows({ workflowsPath, declarations: [declarations] });
    const modules = [workflowsPath, declarations];
    expect(await schemasApart(code, modules)).toEqual([]);
    // As webpack 5.113 does with its own settings.
    expect(await schemasApart(code.replaceAll('.z.coerce.', '.z.'), modules)).toEqual([
      'Print: kind.attributes.copies',
      'Diary: properties.size',
      'Diary: events.write.params.pages',
    ]);
    const [problem] = await schemasApart(code.replaceAll('.z.iso.', '.z.'), modules);
    expect(problem).toMatch(
      /^it cannot be loaded, while its modules can: DeclarationError: The declaration of resource 'post'/,
    );
  });
});

const DIARY = `
import { component } from 'reeve/components';
import { defineEntity, defineResource, implementActions, initial, terminal } from 'reeve/definition';
import { z } from 'zod';
export const post = defineResource('post', {
  send: { input: z.object({ to: z.email() }), output: z.object({ on: z.iso.date() }) },
});
export const Bind = component('Bind', { attributes: z.object({ title: z.string() }), work: async () => {} });
export const Print = component('Print', { attributes: z.object({ copies: z.coerce.number() }), work: async () => {} });
const Diary = defineEntity('Diary', {
  key: z.iso.date(),
  properties: z.object({ size: z.coerce.number().default(0), title: z.string().optional() }),
  states: { Open: initial(), Closed: terminal() },
  events: { write: { in: 'Open', params: z.object({ pages: z.array(z.coerce.number()) }) } },
  actions: { write: { on: 'write', in: 'Open', to: 'Closed' } },
});
export const definitions = [Diary];
export const diary = implementActions(Diary, { write: async (it) => it.goTo('Closed') });
`;
