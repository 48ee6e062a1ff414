import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { homeFolder, readStack, removeStack, writeStack, type StackDescription } from '../../src/stack/home.js';
import { temporaryFolder } from './folder.js';
import { runScript } from './script.js';

const stack = (pid: number): StackDescription => ({
  pid,
  temporal: { address: '127.0.0.1:7233', namespace: 'default', embedded: true, secured: false },
  databaseUrl: 'postgresql://127.0.0.1/postgres',
});

it('the data folder is REEVE_HOME, or .reeve in the current folder', () => {
  expect(homeFolder({ REEVE_HOME: 'elsewhere' })).toBe(resolve('elsewhere'));
  expect(homeFolder({})).toBe(resolve('.reeve'));
});

it('a running stack is described by a file that only its owner can read', async () => {
  const home = await temporaryFolder();
  await writeStack(home, stack(process.pid));
  expect(await readStack(home)).toEqual(stack(process.pid));
  expect((await stat(join(home, 'stack.json'))).mode & 0o777).toBe(0o600);
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
    const { writeStack } = await built('home');
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
