import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addSettings } from '../../src/stack/postgres.js';
import { temporaryFolder } from './folder.js';

it('a server gets settings that it lacks, and keeps those that somebody has set (A6)', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'data', 'postgresql.auto.conf');
  await mkdir(join(folder, 'data'));
  await writeFile(file, `shared_buffers = 128MB\nmax_slot_wal_keep_size = '1GB'\n`);
  const settings = { wal_level: 'logical', max_slot_wal_keep_size: '4GB' };
  for (let start = 0; start < 2; start++) {
    await addSettings(folder, settings);
    expect(await readFile(file, 'utf8')).toBe(
      `shared_buffers = 128MB\nmax_slot_wal_keep_size = '1GB'\nwal_level = 'logical'\n`,
    );
  }
});
