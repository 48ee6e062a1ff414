import type { AnyEntity } from '../../definition/entity.js';
import { TENANT } from '../../definition/tenant.js';
import type { Dimensions } from '../../protocol/records.js';
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { partsOf } from '../../definition/key-check.js';

/** Returns what the rows of an entity are found by, as text; a dimension without a value is left out. S1.1 */
export function dimensionsOf(entity: AnyEntity, snapshot: Snapshot): Dimensions {
  const values = Object.entries(entity.dimensions).map(
    ([name, source]) => [name, valueAt(entity, snapshot, source)] as const,
  );
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, asText(value)]])));
}

/**
 * Gives what the rows of an event, and of the operation that it opens, are found by: the dimensions that the entity had when the
 * event's first transition was over. Later values do not replace these; they only add what was missing.
 */
export function dimensionsOfEvent(
  entity: AnyEntity,
  snapshot: Snapshot,
  { dimensions }: Pick<Engagement, 'dimensions'>,
): Dimensions {
  return { ...dimensionsOf(entity, snapshot), ...dimensions };
}

function valueAt(entity: AnyEntity, snapshot: Snapshot, source: string): unknown {
  if (source === 'key') return snapshot.key;
  if (source === TENANT) return snapshot.tenant;
  const dot = source.indexOf('.');
  const name = source.slice(dot + 1);
  if (source.startsWith('key.')) return partsOf(entity, snapshot.key)?.[name];
  const values: Readonly<Record<string, unknown>> =
    source.slice(0, dot) === 'links' ? snapshot.links : snapshot.properties;
  return values[name] ?? undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
