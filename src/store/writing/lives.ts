import type { EntityRecord, EventRecord, StoreRecord, TransitionRecord } from '../../protocol/records.js';
import { TABLES } from '../names.js';
import { storableJson } from './json.js';
import type { Database } from './write-rows.js';

/** How far it is certain what happened in an entity's life: up to this version, and up to this time in milliseconds since 1970. */
export interface Life {
  readonly life: string;
  /** The first version of which the present records tell. Everything before was certain already. */
  readonly from: number;
  readonly version: number;
  readonly at: number;
}

/** How far records go in each life of an entity. */
export function livesOf(records: readonly StoreRecord[]): readonly Life[] {
  const lives = new Map<string, Life>();
  for (const record of records) {
    // A decision does not tell how far its entity has come, and other records are of no entity.
    if (record.kind === 'decision' || !('entity' in record)) continue;
    const { life } = record.entity;
    const { from = Infinity, version = 0, at = 0 } = lives.get(life) ?? {};
    const said = reach(record);
    lives.set(life, {
      life,
      from: Math.min(from, said.version),
      version: Math.max(version, said.version),
      at: Math.max(at, said.at),
    });
  }
  return [...lives.values()];
}

/** The version that an entity had reached at a time. */
export type Reached = Pick<Life, 'life' | 'version' | 'at'>;

/** The latest version and time that records tell of each life. */
export function latestOf(records: readonly StoreRecord[]): readonly Reached[] {
  const latest = new Map<string, Reached>();
  for (const record of records) {
    if (record.kind !== 'transition' && record.kind !== 'entity') continue;
    const { version, at, entity } = record;
    const known = latest.get(entity.life);
    const isLater = !known || at > known.at || (at === known.at && version > known.version);
    if (isLater) latest.set(entity.life, { life: entity.life, version, at });
  }
  return [...latest.values()];
}

function reach(record: EventRecord | TransitionRecord | EntityRecord): Pick<Life, 'version' | 'at'> {
  if (record.kind === 'event') return { version: record.startVersion, at: record.endedAt ?? record.startedAt };
  return { version: record.version, at: record.at };
}

const NOTE = `insert into ${TABLES}.lives as old (life, version, at)
  select life, version, to_timestamp(at / 1000.0) from json_to_recordset($1::json) as new(life text, version integer, at float8)
  order by life
  on conflict (life) do update set version = greatest(old.version, excluded.version), at = greatest(old.at, excluded.at)`;

/**
 * Notes how far it is certain what happened. What was certain before stays certain. It writes even when nothing is new: when it
 * ends, everything that was written before is on the disk.
 */
export async function noteLives(database: Database, lives: readonly Life[]): Promise<void> {
  if (lives.length > 0) await database.query({ name: 'lives', text: NOTE, values: [storableJson(lives)] });
}
