import { sql } from 'kysely';
import type { StoreReader } from '../reader.js';

/** Which entities live. */
interface LiveQuestion {
  readonly type: string;
  /** Only those in these states. */
  readonly states?: readonly string[] | undefined;
}

/** How many entities live, and the keys of the first ones. Q2 */
export async function countLive(
  reader: StoreReader,
  question: LiveQuestion,
  keys: number,
): Promise<{ readonly count: number; readonly keys: readonly string[] }> {
  const [{ count }, named] = await Promise.all([
    living(reader, question)
      .select(sql<string>`count(*)`.as('count'))
      .executeTakeFirstOrThrow(),
    living(reader, question).select('key').orderBy('key').limit(keys).execute(),
  ]);
  return { count: Number(count), keys: named.map(({ key }) => key) };
}

/** How often an event was raised on entities of a type since a time. Q2 */
export async function countRaised(reader: StoreReader, type: string, event: string, since: Date): Promise<number> {
  const { count } = await reader
    .selectFrom('state_machine_events')
    .select(sql<string>`count(*)`.as('count'))
    .where('state_machine_type', '=', type)
    .where('event', '=', event)
    .where('start_time', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The contents of a live entity, by which its migration can be tried. Q2 */
export interface LiveContents {
  readonly key: string;
  readonly schema: number;
  readonly state: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** All live entities of a type in the order of their keys, page by page. */
export async function* liveContents(reader: StoreReader, type: string, page = 1_000): AsyncGenerator<LiveContents> {
  for (let after: string | undefined; ;) {
    const rows = await living(reader, { type })
      .select(['key', 'schema', 'state', 'properties', 'links', 'subordinates'])
      .$if(after !== undefined, (query) => query.where('key', '>', after!))
      .orderBy('key')
      .limit(page)
      .execute();
    yield* rows as unknown as readonly LiveContents[];
    if (rows.length < page) return;
    after = rows.at(-1)!.key;
  }
}

function living(reader: StoreReader, { type, states }: LiveQuestion) {
  return reader
    .selectFrom('entities')
    .where('type', '=', type)
    .where('deleted', '=', false)
    .$if(states !== undefined, (query) => query.where('state', 'in', [...states!]));
}
