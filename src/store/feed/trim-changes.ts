import { TABLES } from '../names.js';
import type { Database } from '../writing/write-rows.js';

/** How many changes one statement deletes. A bigger one would hold its locks for too long. */
const AT_ONCE = 5_000;

const TRIM = `with old as (
    select position from ${TABLES}.changes order by position limit ${AT_ONCE}
  ), gone as (
    delete from ${TABLES}.changes c using old where c.position = old.position and c.at < $1 returning c.position
  ), trimmed as (
    update ${TABLES}.feed set trimmed = (select max(position) from gone) where exists (select from gone)
  )
  select count(*)::integer as gone from gone`;

/**
 * Deletes the changes that came before a time. Who has yet to read one of them is told so.
 * @throws when the database is unavailable
 */
export async function trimChanges(database: Database, before: Date): Promise<void> {
  for (;;) {
    const { rows } = await database.query({ text: TRIM, values: [before] });
    if ((rows as readonly { readonly gone: number }[])[0]!.gone < AT_ONCE) return;
  }
}
