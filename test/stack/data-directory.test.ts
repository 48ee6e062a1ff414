import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  dataDirectoryFrom,
  prepareDataDirectory,
  readStack,
  removeStack,
  writeStack,
  type StackDescription,
} from '../../src/stack/data-directory.js';
import { KeptProcess } from '../../src/stack/kept-process.js';
import { until } from '../support/until.js';
import { temporaryFolder } from './folder.js';
import { runScript } from './script.js';

const stack = (pid: number): StackDescription => ({
  pid,
  temporal: { address: '127.0.0.1:7233', namespace: 'default', embedded: true, secured: false },
  databaseUrl: 'postgresql://127.0.0.1/postgres',
});

async function modesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode } = await stat(path);
      return { path: relative(folder, path), folder: entry.isDirectory(), mode: mode & 0o777 };
    }),
  );
}

it('the data directory is REEVE_DATA_DIR, or .reeve in the current folder', () => {
  expect(dataDirectoryFrom({ REEVE_DATA_DIR: 'elsewhere' })).toBe(resolve('elsewhere'));
  expect(dataDirectoryFrom({})).toBe(resolve('.reeve'));
});

it('what a stack makes in the data directory is for its owner only, also what its children write (S6.5)', async () => {
  const home = join(await temporaryFolder(), 'new', 'home');
  await prepareDataDirectory(home);
  const child = await KeptProcess.start({
    ...{ name: 'writer', home, restart: false },
    ...{
      command: 'sh',
      args: ['-c', 'mkdir "$1/temporal/folder" && date > "$1/temporal/folder/file" && sleep 60', 'sh', home],
    },
  });
  onTestFinished(() => child.stop());
  await until(() => readFile(join(home, 'temporal', 'folder', 'file')));
  // The last that is written.
  await until(() => readFile(join(home, 'run', 'writer.pid')));
  const modes = await modesBelow(join(home, '..'));
  const kinds = { folders: modes.filter(({ folder }) => folder), files: modes.filter(({ folder }) => !folder) };
  expect(kinds.folders.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['home', 'home/log', 'home/temporal/folder']),
  );
  expect(kinds.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['home/log/writer.log', 'home/run/writer.pid', 'home/temporal/folder/file']),
  );
  expect(kinds.folders.filter(({ mode }) => mode !== 0o700)).toEqual([]);
  expect(kinds.files.filter(({ mode }) => mode !== 0o600)).toEqual([]);
});

it.each([
  ['lies below a file', async (folder: string) => join(folder, 'file', 'home')],
  ['is a file', async (folder: string) => join(folder, 'file')],
])('a data directory that %s is told with the setting that names it, and what to do', async (_, place) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const home = await place(folder);
  const told = new RegExp(`^The data directory ${home} cannot be (written|read) .*REEVE_DATA_DIR`);
  await expect(prepareDataDirectory(home)).rejects.toThrow(told);
  await expect(readStack(home)).rejects.toThrow(told);
});

it('a running stack is described by a file that only its owner can read', async () => {
  const home = await temporaryFolder();
  await writeStack(home, stack(process.pid));
  expect(await readStack(home)).toEqual(stack(process.pid));
  expect((await stat(join(home, 'stack.json'))).mode & 0o777).toBe(0o600);
});

it.each([
  ['is not JSON', () => '{ "pid": 1,', /is not JSON: /],
  ['is something else', () => '[1]', /^.* pid is missing\./],
  [
    'lacks a member',
    ({ temporal: _, ...rest }: StackDescription) => JSON.stringify(rest),
    / temporal\.address is missing\./,
  ],
  [
    'has a member of another kind',
    (good: StackDescription) => JSON.stringify({ ...good, temporal: { ...good.temporal, address: 7233 } }),
    / temporal\.address is 7233 and not a text\./,
  ],
  [
    'has an address that is none',
    (good: StackDescription) => JSON.stringify({ ...good, databaseUrl: '127.0.0.1/postgres' }),
    / databaseUrl is "127\.0\.0\.1\/postgres" and not an address\./,
  ],
])('a description that %s is told with the file, what is wrong and what to do', async (_, edited, says) => {
  const home = await temporaryFolder();
  await writeStack(home, stack(process.pid));
  const path = join(home, 'stack.json');
  await writeFile(path, edited(JSON.parse(await readFile(path, 'utf8')) as StackDescription));
  const told = await readStack(home).catch((thrown: Error) => thrown.message);
  expect(told).toMatch(says);
  expect(told).toMatch(
    /stack\.json is damaged: .* Delete it, and restart the stack with 'npx reeve up', which writes it\.$/,
  );
});

it('no stack runs where none has been described, or where it has been taken away', async () => {
  const home = await temporaryFolder();
  expect(await readStack(home)).toBeUndefined();
  await writeStack(home, stack(process.pid));
  await removeStack(home);
  expect(await readStack(home)).toBeUndefined();
});

it('no stack runs when its process was killed, also when another one has its id', async () => {
  const home = await temporaryFolder();
  const script = runScript(`
    const { writeStack } = await built('data-directory');
    await writeStack(${JSON.stringify(home)}, { ...${JSON.stringify(stack(0))}, pid: process.pid });
    console.log('written');
    setInterval(() => {}, 1000);`);
  await script.firstLine;
  expect((await readStack(home))?.pid).toBe(script.pid);
  await script.kill();
  expect(await readStack(home)).toBeUndefined();

  const path = join(home, 'stack.json');
  const left = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, JSON.stringify({ ...left, pid: process.pid }));
  expect(await readStack(home)).toBeUndefined();
});
