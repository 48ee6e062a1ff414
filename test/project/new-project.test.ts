import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { initProject } from '../../src/project/init.js';

it('the tests of a new project are those that its sources have, and no compiled ones that are gone (S6.3)', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'reeve-new-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const { folder } = await initProject(join(parent, 'sites'), () => undefined);
  const file = join(folder, 'package.json');
  const described = JSON.parse(await readFile(file, 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
  // Nothing is installed: the compiler of this test makes one test, and the one of before is there.
  const build = `node -e "fs.mkdirSync('dist/test', { recursive: true }); fs.writeFileSync('dist/test/new.test.js', '')"`;
  await writeFile(file, JSON.stringify({ ...described, scripts: { ...described.scripts, build } }));
  await mkdir(join(folder, 'dist', 'test'), { recursive: true });
  await writeFile(join(folder, 'dist', 'test', 'gone.test.js'), 'throw new Error("this test is gone");');
  const tools = join(parent, 'tools');
  await mkdir(tools);
  await writeFile(join(tools, 'reeve'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });

  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env['PATH']}`, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: folder, env });
  expect(stdout).toContain('new.test.js');
  expect(stdout).not.toContain('gone');
});
