import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import { schemasApart } from '../../src/temporal/bundled-schemas.js';
import { keptBundle } from '../support/shared-bundle.js';

/** Inside the project, so that `reeve` is found by its name; always the same, so that a bundle of unchanged code is kept. */
const folder = fileURLToPath(new URL('../../dist/test-bundle', import.meta.url));
beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a module of workflow code. Gives its path. */
async function module(name: string, source: string): Promise<string> {
  const file = join(folder, `${name}.js`);
  await writeFile(file, source);
  return file;
}

describe('workflow code', () => {
  it('that imports reeve itself or modules of Node is refused in a line each, with its files and what to do instead (S1.5)', async () => {
    const hasty = await module(
      'hasty',
      `import { CallFailed } from 'reeve';\nexport default () => new CallFailed('a.b', 'c');\n`,
    );
    const modules = { prefixed: 'node:fs', plain: 'fs', nested: 'node:fs/promises' };
    const touching: string[] = [];
    for (const [name, imported] of Object.entries(modules))
      touching.push(await module(name, `import * as it from '${imported}';\nexport default () => it.readFile('x');\n`));
    const all = [hasty, ...touching].map((file, index) => `export { default as it${index} } from '${file}';`);
    const refused = bundleWorkflows({ workflowsPath: await module('all', all.join('\n')) });
    const { message } = await refused.then(
      () => expect.unreachable(),
      (thrown: TypeError) => thrown,
    );
    const [ofReeve, ofNode, ...more] = message.split('\n');
    expect(ofReeve).toBe(
      `Workflow code cannot import 'reeve', as ${hasty} does: ` +
        `import it from 'reeve/definition', which has all that declarations and actions need.`,
    );
    for (const [index, imported] of Object.values(modules).entries())
      expect(ofNode).toContain(`'${imported}', as ${touching[index]} does`);
    expect(ofNode).toMatch(
      /^Workflow code cannot import .+ does: it runs again from its history, and so may not touch what is outside\. Do this in a call of a resource \(implementResource\), whose module no workflow code imports, and call that from the action\.$/,
    );
    expect(more).toEqual([]);
  });

  it('has the errors and the schemas of reeve/definition, and a bundler that changes a schema is found with its place (S1.1, S1.5a, S3.3)', async () => {
    const declarations = await module('diary', DIARY);
    const workflowsPath = await module(
      'diary-workflows',
      `import { entityWorkflows } from 'reeve/workflows';
       import { diary } from './diary.js';
       export default entityWorkflows(diary);`,
    );
    const { code } = await keptBundle({ workflowsPath, declarations: [declarations] });
    const modules = [workflowsPath, declarations];
    expect(code).toContain('no envelope is that large');
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
import { CallFailed, defineEntity, defineResource, implementActions, initial, terminal } from 'reeve/definition';
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
export const diary = implementActions(Diary, {
  write: async (it) => {
    if (it.properties.size > 9) throw new CallFailed('post.send', 'too_large', 'no envelope is that large');
    return it.goTo('Closed');
  },
});
`;
