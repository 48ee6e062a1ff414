import { chmod, chown, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { databaseUserIds, needsDatabaseUser } from '../../src/stack/database-user.js';
import { writeFileAtomically } from '../../src/stack/files.js';

/*
 * Copies an instance file by file, so that everything in it is copied, whatever it is. The copy of a running instance follows
 * "Making a Base Backup Using the Low Level API" in PostgreSQL's manual.
 */

/** Folders that PostgreSQL fills anew when it starts. The files in `LEFT_OUT` belong only to the process that runs. */
const EMPTIED = ['pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'];
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'pgsql_tmp'];
const WAL = 'pg_wal';

/** Copies an instance that does not run. */
export async function copyStopped(source: string, target: string): Promise<void> {
  await copyFolder(join(source, 'data'), join(target, 'data'), EMPTIED);
  await finish(source, target);
}

/**
 * Copies an instance while it is used. When the copy is started, it is as the instance was at the end of the copying. The
 * write-ahead log of what `afterwards` does is copied too.
 */
export async function copyRunning(
  source: string,
  target: string,
  client: pg.Client,
  afterwards: () => Promise<void> = async () => undefined,
): Promise<void> {
  // The slot keeps the log from being removed while it is needed. It ends with the connection.
  const slot = `reeve_copy_${Date.now()}`;
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  await client.query(`SELECT pg_backup_start('reeve', true)`);
  await copyFolder(join(source, 'data'), join(target, 'data'), [...EMPTIED, WAL]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await afterwards();
  await client.query('SELECT pg_switch_wal()');
  await copyFolder(join(source, 'data', WAL), join(target, 'data', WAL), []);
  await writeOwned(join(target, 'data', 'backup_label'), rows[0]!.labelfile);
  await finish(source, target);
}

/** Writes a file that PostgreSQL owns. */
export async function writeOwned(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  await own(path);
}

/** The superuser is copied with everything else, so the password is the same. */
async function finish(source: string, target: string): Promise<void> {
  await writeFileAtomically(join(target, 'password'), await readFile(join(source, 'password'), 'utf8'));
  await writeFileAtomically(join(target, 'complete'), '');
}

async function copyFolder(source: string, target: string, emptied: readonly string[]): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await chmod(target, 0o700);
  await own(target);
  if (emptied.includes(basename(source))) return;
  for (const name of await readdir(source)) {
    if (LEFT_OUT.some((left) => name.startsWith(left))) continue;
    try {
      const from = join(source, name);
      const to = join(target, name);
      if ((await stat(from)).isDirectory()) await copyFolder(from, to, emptied);
      else {
        await copyFile(from, to);
        await own(to);
      }
    } catch (thrown) {
      // This is a table that has been dropped meanwhile. The log has that too.
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    }
  }
}

let owner: ReturnType<typeof databaseUserIds> | undefined;

async function own(path: string): Promise<void> {
  if (!needsDatabaseUser()) return;
  const { uid, gid } = await (owner ??= databaseUserIds());
  await chown(path, uid, gid);
}
