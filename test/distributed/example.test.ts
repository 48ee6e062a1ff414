import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../store/server.js';
import { startTemporalService } from '../support/temporal-service.js';
import type * as example from './example/run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FILES = ['checksum.ts', 'workflows.ts', 'checksum-code.ts', 'run.ts'];
const here = (file: string) => join(root, 'test', 'distributed', 'example', file);

const server = useServer();
let service: TestWorkflowEnvironment;
let folder: string;
beforeAll(async () => {
  service = await startTemporalService();
  // Inside the project, so that `reeve` is found by its name.
  folder = await mkdtemp(join(root, 'dist', 'example-'));
});
afterAll(async () => {
  await service.teardown();
  await rm(folder, { recursive: true, force: true });
});

describe('the page about distributed operations', () => {
  it.each(FILES)('shows %s as it is', async (file) => {
    const page = await readFile(join(root, 'docs', 'guides', 'partitions.md'), 'utf8');
    expect(page).toContain(`\`\`\`ts\n// ${file}\n${await readFile(here(file), 'utf8')}\`\`\``);
  });

  it('has an operation that runs (I8)', async () => {
    const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const options = [
      '--ignoreConfig',
      '--types',
      'node',
      '--module',
      'NodeNext',
      '--target',
      'ES2022',
      '--strict',
      '--skipLibCheck',
    ];
    const places = ['--outDir', folder, '--rootDir', root];
    execFileSync(process.execPath, [compiler, ...options, ...places, ...FILES.map(here)], {
      cwd: root,
      stdio: 'inherit',
    });
    const disks: Record<string, string> = {};
    for (const [place, partitions] of Object.entries({ east: [0, 1], west: [2, 3] })) {
      disks[place] = join(folder, place);
      for (const partition of partitions) {
        await mkdir(join(disks[place], `${partition}`), { recursive: true });
        await writeFile(join(disks[place], `${partition}`, 'letter.txt'), `Letter ${partition}`);
      }
    }
    const script = join(folder, 'test', 'distributed', 'example', 'run.js');
    const { run } = (await import(pathToFileURL(script).href)) as typeof example;
    expect(await run(service.address, disks, await server.database())).toBe('succeeded: 4 of 4');
    expect(await readdir(join(disks['west']!, '3'))).toEqual(['letter.txt', 'sha256.sums']);
  });
});
