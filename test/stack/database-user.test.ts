import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asDatabaseUser, databaseUserIds, needsDatabaseUser } from '../../src/stack/database-user.js';

const run = promisify(execFile);
/** A program in a folder that only we can enter, as root's home is. */
let program: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-private-'));
  await mkdir(join(folder, 'bin'), { mode: 0o700 });
  program = join(folder, 'bin', 'program');
  await writeFile(program, '#!/bin/sh\necho ran\n', { mode: 0o700 });
  await chmod(folder, 0o700);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what runs as the user of the database', () => {
  it('reaches programs and data in a folder that is closed to others, and is told so when it asks', async () => {
    if (needsDatabaseUser()) await databaseUserIds();
    const asks = `require('node:fs').accessSync(${JSON.stringify(program)}, 1)`;
    for (const plain of [
      { command: program, args: [] },
      { command: process.execPath, args: ['-e', `${asks}; console.log('ran')`] },
    ]) {
      const { command, args } = asDatabaseUser(plain);
      expect((await run(command, [...args], { cwd: '/' })).stdout).toBe('ran\n');
    }
  });

  it('is somebody other than root', async () => {
    const { command, args } = asDatabaseUser({ command: 'id', args: ['-u'] });
    expect((await run(command, [...args])).stdout).not.toBe('0\n');
  });
});
