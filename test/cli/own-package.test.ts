import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runReeve } from '../support/reeve-command.js';

const NOTHING = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_API: undefined };

async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-own-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

it('reeve up says what a package has to name where it names nothing (S6.3)', async () => {
  const { code, stderr } = await runReeve(['up'], NOTHING, await emptyProject());
  expect(code).toBe(2);
  expect(stderr).toContain('Add "reeve": { "definitions": "<file>" } to package.json');
  expect(stderr).toContain('Add "reeve": { "workflows": "<file>" } to package.json');
});

it.each([['file'], ['file/home']])(
  'reeve doctor looks on where the data folder %s cannot be read (S6.3)',
  async (at) => {
    const folder = await emptyProject();
    await writeFile(join(folder, 'file'), '');
    const home = join(folder, at);
    const { code, stdout } = await runReeve(['doctor', '--json'], { ...NOTHING, REEVE_HOME: home }, folder);
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly about: string }[] };
    expect(code).toBe(1);
    expect(items).toContainEqual({
      about: 'data folder',
      status: 'problem',
      says: expect.stringMatching(`^The data folder ${home} cannot be read .* set REEVE_HOME to a folder of your own`),
      remedy: 'Mend that, and look again.',
    });
    expect(items.map(({ about }) => about)).toEqual(expect.arrayContaining(['Node', 'Temporal executable']));
  },
);
