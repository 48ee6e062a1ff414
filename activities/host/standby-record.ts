import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../src/stack/files.js';

const standbyRecord = z.object({
  primary: z.string(),
  /** The place in the primary's log up to which everything was copied. What comes after it is replicated. */
  copiedUpTo: z.string(),
  databases: z.array(z.object({ name: z.string(), slot: z.string() })),
});

/** Describes what a standby follows. The record is in the instance's folder until the standby is promoted. */
export type StandbyRecord = z.output<typeof standbyRecord>;

export async function readStandbyRecord(folder: string): Promise<StandbyRecord | undefined> {
  const text = await readFile(join(folder, 'standby.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : standbyRecord.parse(JSON.parse(text));
}

export async function writeStandbyRecord(folder: string, record: StandbyRecord): Promise<void> {
  await writeFileAtomically(join(folder, 'standby.json'), JSON.stringify(record));
}

export async function removeStandbyRecord(folder: string): Promise<void> {
  await rm(join(folder, 'standby.json'), { force: true });
}
