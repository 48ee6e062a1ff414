import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as example from './run.js';
import type * as simulation from './simulation.js';
import { temporalExecutable } from '../support/temporal-executable.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (file: string) => join(root, 'test', 'readme', file);

let service: TestWorkflowEnvironment;
let folder: string;
beforeAll(async () => {
  const path = await temporalExecutable();
  service = await TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path } } });
  // Inside the project, so that `reeve` is found by its name.
  folder = await mkdtemp(join(root, 'dist', 'readme-'));
});
afterAll(async () => {
  await service.teardown();
  await rm(folder, { recursive: true, force: true });
});

describe('the README', () => {
  it.each(['website.ts', 'workflows.ts', 'run.ts', 'simulation.ts'])('shows %s as it is', async (file) => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n// ${file}\n${await readFile(here(file), 'utf8')}\`\`\``);
  });

  it('has an entity that runs', async () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = [
      '--module',
      'NodeNext',
      '--target',
      'ES2022',
      '--strict',
      '--skipLibCheck',
      '--outDir',
      folder,
      '--rootDir',
      root,
    ];
    const files = ['website.ts', 'workflows.ts', 'run.ts', 'simulation.ts'].map(here);
    execFileSync(process.execPath, [compiler, ...options, ...files], { cwd: root, stdio: 'inherit' });
    const compiled = (file: string) => import(pathToFileURL(join(folder, 'test', 'readme', file)).href);
    const { run } = (await compiled('run.js')) as typeof example;
    expect(await run(service.address)).toBe('success: Live at https://blog.example');

    const { oneCrash, anySeed, everyCrash } = (await compiled('simulation.js')) as typeof simulation;
    const [outcome, firstKey, secondKey] = await oneCrash();
    expect(outcome).toBe('success');
    expect(secondKey).toBe(firstKey);
    for (let seed = 1; seed <= 50; seed++) expect(['Live', 'Failed']).toContain(await anySeed(seed));
    expect(await everyCrash()).toEqual([expect.stringMatching(/^Website: create, takeDown \(\d+ points\)$/)]);
  });
});
