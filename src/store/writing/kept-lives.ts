import type { StoreRecord } from '../../protocol/records.js';
import type { KeptLife } from '../rows/life-row.js';

/** How far records go in each life of an entity. */
export function keptLives(records: readonly StoreRecord[]): readonly KeptLife[] {
  const lives = new Map<string, KeptLife>();
  for (const record of records) {
    if (record.kind === 'operation') continue;
    const { life } = record.entity;
    const { version = 0, at = 0 } = lives.get(life) ?? {};
    const said = reach(record);
    lives.set(life, { life, version: Math.max(version, said.version), at: Math.max(at, said.at) });
  }
  return [...lives.values()];
}

function reach(record: Exclude<StoreRecord, { kind: 'operation' }>): { readonly version: number; readonly at: number } {
  if (record.kind === 'event') return { version: record.startVersion, at: record.endedAt ?? record.startedAt };
  return { version: record.version, at: record.at };
}
