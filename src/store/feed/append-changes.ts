/*
 * The feed of changes: what has happened for certain, in an order that listeners can rely on. A6
 *
 * append-changes.1. A position is given under a lock that is held until the transaction ends. So positions become visible in their
 *     order, and no listener skips one.
 * append-changes.2. A life is fed version by version, from the first one. What is certain before it is its turn waits in
 *     `fed_ahead`.
 * append-changes.3. Only what is certain is fed. The same versions may be told any number of times.
 * append-changes.4. What an entity waits for is fed after the transition of its version and before the next one, where it differs from
 *     what was fed last since then. A transition ends all waits. What is told after the next one was fed is left out.
 */
import { toldWaits, type StoreRecord, type ToldWaits } from '../../protocol/records.js';
import { TABLES } from '../names.js';
import { storableJson } from '../writing/json.js';
import type { Database } from '../writing/write-rows.js';

/** Versions of a life of which it is certain that they happened, and whose rows are written. */
export interface CertainVersions {
  readonly life: string;
  readonly first: number;
  readonly last: number;
}

/** The versions of which records tell, in ranges. */
export function versionsOf(records: readonly StoreRecord[]): readonly CertainVersions[] {
  const versions = new Map<string, number[]>();
  for (const record of records) {
    if (record.kind !== 'transition') continue;
    const { life } = record.entity;
    const known = versions.get(life);
    if (known) known.push(record.version);
    else versions.set(life, [record.version]);
  }
  return [...versions].flatMap(([life, all]) => rangesOf(life, all));
}

/** Gives what entities wait for, as records tell it. */
export function waitsOf(records: readonly StoreRecord[]): readonly ToldWaits[] {
  return records.flatMap((record) => (record.kind === 'entity' ? [toldWaits(record)] : []));
}

/** These versions of a life, in ranges. */
export function rangesOf(life: string, versions: readonly number[]): readonly CertainVersions[] {
  const ranges: { life: string; first: number; last: number }[] = [];
  for (const version of [...versions].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && version <= range.last + 1) range.last = version;
    else ranges.push({ life, first: version, last: version });
  }
  return ranges;
}

/**
 * Appends what is certain to the feed. Whoever reads the feed sees it when this ends, and it is on the disk by then. The same
 * versions may be told any number of times. A6
 */
export async function appendChanges(
  database: Database,
  certain: readonly CertainVersions[],
  waits: readonly ToldWaits[],
): Promise<void> {
  if (certain.length === 0 && waits.length === 0) return;
  const text = `select ${TABLES}.append_changes($1::json, $2::json)`;
  await database.query({ name: 'append changes', text, values: [storableJson(certain), storableJson(waits)] });
}
