import type { StoreRecord } from '../../protocol/records.js';
import { TABLES } from '../names.js';
import type { Database } from './write-rows.js';

/** Locks rows in the same order as writers. */
const DELETE = `with phantoms as (
    select c.life, c.incarnation from ${TABLES}.components c where c.life = any($1::text[]) and not c.kept
    order by c.life, c.incarnation for update
  )
  delete from ${TABLES}.components c using phantoms p where c.life = p.life and c.incarnation = p.incarnation`;

/**
 * Deletes components that were only offered, of deployments that have ended: all that has happened there was kept before the end, so
 * a lost task has told of these.
 */
export async function deletePhantomComponents(database: Database, records: readonly StoreRecord[]): Promise<void> {
  const lives = records.flatMap((record) =>
    record.kind === 'deployment' && record.endedAt !== undefined ? [record.life] : [],
  );
  if (lives.length > 0) await database.query({ name: 'component phantoms', text: DELETE, values: [lives] });
}
