import type pg from 'pg';
import type { SessionSource } from './sessions.js';
import { instancesOf, type LivePart } from './table-places.js';

/** Works in each instance that has one of the parts, one after the other, the primary first. */
export async function onEachInstance(
  sessions: SessionSource,
  parts: readonly LivePart[],
  name: string,
  work: (client: pg.Client, part: LivePart) => Promise<void>,
): Promise<void> {
  for (const part of parts)
    for (const { application } of instancesOf(part))
      await sessions.use(application, part.database, name, (client) => work(client, part));
}
