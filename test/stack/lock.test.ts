import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock, tryLock } from '../../src/stack/lock.js';
import { temporaryFolder } from './folder.js';
import { runScript } from './script.js';

const holdLock = (home: string) =>
  runScript(`
    await (await built('lock')).takeLock(${JSON.stringify(home)});
    console.log('held');
    setInterval(() => {}, 1000);`);

it('a second stack on a data directory is refused, and told which process has it and what to do', async () => {
  const home = await temporaryFolder();
  const holder = holdLock(home);
  await holder.firstLine;
  const refused = expect(takeLock(home)).rejects;
  await refused.toThrow(`process ${holder.pid}`);
  await expect(takeLock(home)).rejects.toThrow(/kill \d+.*REEVE_DATA_DIR/);
});

it('a second stack in the same process is refused too', async () => {
  const home = await temporaryFolder();
  const release = await takeLock(home);
  await expect(takeLock(home)).rejects.toThrow(`process ${process.pid}`);
  await release();
  await (
    await takeLock(home)
  )();
});

it('the lock of a process that was killed is taken over', async () => {
  const home = await temporaryFolder();
  const holder = holdLock(home);
  await holder.firstLine;
  await holder.kill();
  await (
    await takeLock(home)
  )();
});

it('the lock of a process whose id another one has by now is taken over', async () => {
  const home = await temporaryFolder();
  const folder = join(home, 'run', 'lock');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'stale'), JSON.stringify({ pid: process.ppid, started: 'before the restart' }));
  await (
    await takeLock(home)
  )();
});

it('of many that want a lock at once, also a stale one, at most one has it', async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < 10; round++) {
    await writeFile(join(folder, `stale-${round}`), JSON.stringify({ pid: 1, started: 'long ago' }));
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(folder)));
    const releases = attempts.flatMap((attempt) => ('release' in attempt ? [attempt.release] : []));
    expect(releases.length).toBeLessThanOrEqual(1);
    for (const release of releases) await release();
  }
  expect('release' in (await tryLock(folder))).toBe(true);
});
