import { sql } from 'kysely';
import type { EntityRef } from '../../protocol/names.js';
import { contentsAfter, type ContentsAt } from '../../protocol/contents-at.js';
import type { ContentsChange } from '../../protocol/records.js';
import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

/** An entity as it was at a version. */
export interface EntityVersion {
  readonly row: Omit<StoreViews['entity_versions'], 'changes'>;
  /** When the next version came; none where it is the latest one. */
  readonly until?: Date | undefined;
  /** The contents that it held; none where the store does not know all that was changed before. */
  readonly held?: ContentsAt | undefined;
}

/** The largest version that a row can have: an "integer" of PostgreSQL. */
const LARGEST = 2 ** 31 - 1;

/**
 * An entity as it was at a version of its life: of the latest one, where none is named. Gives `undefined` when there is no such
 * version. S5.1
 */
export async function readEntityVersion(
  reader: StoreReader,
  { type, key }: EntityRef,
  version: number,
  life?: string,
): Promise<EntityVersion | undefined> {
  // The next version is asked for as well.
  if (version >= LARGEST) return undefined;
  const of =
    life ??
    (
      await reader
        .selectFrom('entities')
        .select('life')
        .where('type', '=', type)
        .where('key', '=', key)
        .executeTakeFirst()
    )?.life;
  if (of === undefined) return undefined;
  const rows = reader.selectFrom('entity_versions').where('life', '=', of);
  const found = await rows
    .selectAll()
    .where('version', 'in', [version, version + 1])
    .orderBy('version')
    .execute();
  const { changes: _, ...row } = found.find((each) => each.version === version) ?? { changes: undefined };
  if (!('version' in row) || row.type !== type || row.key !== key) return undefined;
  const { count, first } = await rows
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.min('version').as('first')])
    .where('version', '<=', version)
    .executeTakeFirstOrThrow();
  const all = Number(count) === version - first + 1 && first <= 1;
  const changes = all ? await changesUpTo(reader, of, version, first) : undefined;
  return {
    row,
    until: found.find((each) => each.version === version + 1)?.time,
    held: changes && contentsAfter(changes),
  };
}

/**
 * The latest change of everything that was changed up to a version, in the order of the versions. Of a life whose beginning was
 * written without changes, nothing is known.
 */
async function changesUpTo(
  reader: StoreReader,
  life: string,
  version: number,
  first: number,
): Promise<readonly ContentsChange[] | undefined> {
  const begun = await reader
    .selectFrom('entity_versions')
    .select('version')
    .where('life', '=', life)
    .where('version', '=', first)
    .where('changes', 'is not', null)
    .executeTakeFirst();
  if (!begun) return undefined;
  const { rows } = await sql<{ readonly change: ContentsChange }>`
    select change from (
      select distinct on (change ->> 'part', change ->> 'name', change ->> 'key') version, place, change
      from entity_versions v cross join lateral jsonb_array_elements(v.changes) with ordinality as c(change, place)
      where v.life = ${life} and v.version <= ${version} and v.changes is not null
      order by change ->> 'part', change ->> 'name', change ->> 'key', version desc, place desc
    ) latest order by version, place`.execute(reader);
  return rows.map(({ change }) => change);
}
