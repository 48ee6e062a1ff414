import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { writeOwned } from './data-copy.js';

/** The settings by which a copy recovers: from the log that was copied with it, up to a place, and no further. */
const SETTINGS: Readonly<Record<string, (place: string) => string>> = {
  restore_command: () => 'false',
  recovery_target_lsn: (place) => place,
  recovery_target_inclusive: () => 'false',
  recovery_target_action: () => 'promote',
};

/** Lets a copied instance recover up to a place in its log when it is started. */
export async function recoverUpTo(folder: string, place: string): Promise<void> {
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name} = '${value(place)}'\n`);
  await appendFile(join(folder, 'data', 'postgresql.auto.conf'), lines.join(''));
  await writeOwned(join(folder, 'data', 'recovery.signal'), '');
}

/** Tells whether an instance has recovered. If so, it forgets the settings of its recovery. */
export async function hasRecovered(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers');
  if (rows[0]!.recovers) return false;
  for (const name of Object.keys(SETTINGS)) await client.query(`ALTER SYSTEM RESET ${name}`);
  return true;
}
