import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareParts } from '../../src/project/parts.js';
import { Project } from '../../src/project/project.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(root, 'examples');
const files = (folder: string) => readdirSync(join(EXAMPLES, folder));
const projects = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && files(entry.name).includes('package.json'))
  .map(({ name }) => name);

/** The compiled projects. They are in the clone, so that they find its packages. */
let built: string;
beforeAll(async () => {
  built = await mkdtemp(join(root, 'dist', 'examples-'));
  const config = join(built, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({
      extends: join(EXAMPLES, 'tsconfig.json'),
      // Types are checked with those of everything else.
      compilerOptions: { noCheck: true, rootDir: EXAMPLES, outDir: join(built, 'code') },
      include: projects.map((name) => join(EXAMPLES, name, '*.ts')),
    }),
  );
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript-native', 'bin', 'tsc'), '-p', config]);
});
afterAll(() => rm(built, { recursive: true, force: true }));

describe.each(projects)('examples/%s', (name) => {
  const read = (file: string) => readFile(join(EXAMPLES, name, file), 'utf8');

  it('has code and resources for all that it declares', async () => {
    const folder = join(built, 'projects', name);
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'package.json'),
      (await read('package.json')).replaceAll('"dist/', `"../../code/${name}/`),
    );
    const project = await Project.find(folder);
    expect(project.folder).toBe(folder);
    await compareParts(project);
    await Promise.all([project.openWorker(), project.settings.executor && project.openExecutor()]);
  });

  it('has at most 150 lines of TypeScript, and a page that names it', async () => {
    const sources = await Promise.all(
      files(name)
        .filter((file) => file.endsWith('.ts'))
        .map(read),
    );
    expect(sources.join('').split('\n').length - 1).toBeLessThanOrEqual(150);
    const page = await readFile(join(root, 'docs', 'start', 'examples.md'), 'utf8');
    expect(page).toContain(`](../../examples/${name})`);
    expect(await read('README.md')).toMatch(/^# .+/);
  });
});
