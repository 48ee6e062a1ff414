import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import {
  common,
  implementDistributedOperation,
  NO_PARTITIONS,
  partitionSet,
  sizeOf,
  union,
  type JobContext,
  type StartProblem,
} from '../../src/distributed/index.js';
import { buildIndex } from './operations/build-index.js';
import { withLockPatience } from './lock-patience.js';
import {
  buildProgress,
  cancelHolder,
  createIndex,
  dropIndex,
  lockOfHolder,
  partitionIndex,
  stateOfIndex,
  takeIndex,
  validOf,
} from './partition-index.js';
import { onEachInstance } from './on-each-instance.js';
import { isAway, type Sessions } from './sessions.js';
import { firstProblem, unknownColumns } from './start-checks.js';
import {
  instancesOf,
  partitionsOf,
  partWith,
  type LiveInstance,
  type LivePart,
  type LiveTable,
  type TablePlaces,
} from './table-places.js';

type Argument = { readonly index: string; readonly columns: readonly string[] };
type Context = JobContext<{ readonly done: number; readonly total: number }>;

/** How often the progress of a build is looked at, and whoever holds its lock is asked for it, in milliseconds. */
const LOOK_MS = 500;
/** After how long an instance is tried again that cannot be used, in milliseconds. */
const AWAY_MS = 2_000;

/**
 * build-index.1. An index is complete when the primary and the standby of its partition have it, since replication carries no indexes.
 * build-index.2. A build goes on in PostgreSQL when the lane that has begun it ends, or its process dies: the next one waits for it.
 * build-index.3. A partition's index becomes a part of the table's index only at the end, since nothing can be dropped concurrently then.
 * build-index.4. Whoever is primary at the end has the index: what is missing there is built again.
 */
export const buildIndexLogic = (places: TablePlaces, sessions: Sessions) =>
  implementDistributedOperation(buildIndex, {
    check: (target, argument, instance) => check(places, sessions, target, argument, instance),
    async job({ target, partition, place }, argument, context) {
      const table = await places.find(target);
      const part = table && partWith(table, partition);
      if (part?.primary.place !== place) return context.later(AWAY_MS, `${target} has moved or gone`);
      try {
        const making = { instance: context.instance, database: part.database, name: argument.index };
        await sessions.noteMaking(part.primary.application, making);
        for (const instance of instancesOf(part)) {
          const built = await build(sessions, { table: table!, part, partition, instance }, argument, context);
          if (!built) return context.goOn();
        }
      } catch (thrown) {
        if (!isAway(thrown)) throw thrown;
        return context.later(AWAY_MS, thrown.message);
      }
      return context.complete();
    },
    async cleanUp({ target, partition, place }, { index }, instance) {
      const part = partWith((await places.find(target)) ?? NOWHERE, partition);
      // A partition that is fenced or gone needs no cleaning: one that has moved is built where it is now.
      if (part?.primary.place !== place) return;
      for (const { application } of instancesOf(part))
        await sessions.use(application, part.database, instance, (client) =>
          dropUnattached(client, partitionIndex(index, partition)),
        );
    },
    async complete(target, argument, { success, partitions, instance }) {
      const table = await places.find(target);
      if (!table) return;
      const each = (work: (client: pg.Client, part: LivePart) => Promise<void>) =>
        onEachInstance(sessions, table.parts, instance, work);
      if (success) {
        let missing = NO_PARTITIONS;
        await each(async (client, part) => {
          missing = union(missing, common(partitions, await missingIn(client, part, argument)));
        });
        if (missing !== NO_PARTITIONS) return { reopen: missing };
        // An index on some partitions only is not one of the table.
        if (sizeOf(partitions) === table.partitions)
          await each((client, part) => attach(client, table, part, argument));
      } else await each((client, part) => undo(client, part, argument));
      for (const part of table.parts)
        for (const { application } of instancesOf(part)) await sessions.forgetMaking(application, instance);
    },
  });

const NOWHERE: LiveTable = { key: '', version: 0, table: '', keyColumn: '', partitions: 0, parts: [] };

/** Tells what the job could never do, before anything begins. */
async function check(
  places: TablePlaces,
  sessions: Sessions,
  target: string,
  { index, columns }: Argument,
  instance: string,
): Promise<StartProblem> {
  const table = await places.find(target);
  if (!table) return undefined;
  return firstProblem(
    sessions,
    () => sessions,
    table,
    instance,
    async (client, part) => {
      const unknown = await unknownColumns(client, table, columns);
      if (unknown) return unknown;
      const names = [index, ...partitionsOf(part).map((partition) => partitionIndex(index, partition))];
      const { rows } = await client.query<{ relname: string }>(
        `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1) LIMIT 1`,
        [names],
      );
      const [taken] = rows;
      if (!taken) return undefined;
      const message = `The database '${part.database}' has something of the name '${taken.relname}' already. Choose another name for the index.`;
      return { code: 'index_exists', message };
    },
  );
}

/** Builds the index on a partition in one instance. Gives whether it is there: otherwise PostgreSQL still builds it. build-index.2 */
async function build(
  sessions: Sessions,
  at: {
    readonly table: LiveTable;
    readonly part: LivePart;
    readonly partition: number;
    readonly instance: LiveInstance;
  },
  { index, columns }: Argument,
  context: Context,
): Promise<boolean> {
  const { table, part, partition, instance } = at;
  const name = partitionIndex(index, partition);
  const { application } = instance;
  const inSession = <T>(work: (client: pg.Client) => Promise<T>) =>
    sessions.use(application, part.database, context.instance, work);
  const builder = await sessions.open(application, part.database, context.instance);
  let building: Promise<void> | undefined;
  let outcome: { readonly thrown?: unknown } | undefined;
  const giveBack = () =>
    outcome && 'thrown' in outcome ? builder.end() : sessions.giveBack(application, part.database, builder);
  try {
    for (;;) {
      if (!building && (await takeIndex(builder, name)))
        building = createIndex(builder, { table: table.table, partition, index }, columns).then(
          () => void (outcome = {}),
          (thrown: unknown) => void (outcome = { thrown }),
        );
      await (building ? Promise.race([building, delay(LOOK_MS)]) : delay(LOOK_MS));
      if (outcome && 'thrown' in outcome) throw outcome.thrown;
      if (outcome) return true;
      if (context.timeIsUp) return false;
      context.waitsForLock(await inSession((client) => lockOfHolder(client, name)));
      try {
        await context.progress(await inSession((client) => buildProgress(client, name)));
      } catch (thrown) {
        // The job has to stop: so has the statement, whoever has begun it.
        await inSession((client) => cancelHolder(client, name));
        await building;
        throw thrown;
      }
    }
  } finally {
    // The session stays until PostgreSQL has built the index, so that nobody begins anew.
    if (building && !outcome) void building.then(giveBack);
    else await giveBack();
  }
}

/** Drops the index on a partition, unless it is a part of the table's index by now. */
async function dropUnattached(client: pg.Client, name: string): Promise<void> {
  while (!(await takeIndex(client, name))) {
    await cancelHolder(client, name);
    await delay(LOOK_MS);
  }
  const { rowCount } = await client.query('SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1)', [
    pg.escapeIdentifier(name),
  ]);
  if (rowCount === 0) await dropIndex(client, name);
}

async function undo(client: pg.Client, part: LivePart, { index }: Argument): Promise<void> {
  await withLockPatience(client, () => client.query(`DROP INDEX IF EXISTS ${pg.escapeIdentifier(index)}`));
  for (const partition of partitionsOf(part)) await dropUnattached(client, partitionIndex(index, partition));
}

async function missingIn(client: pg.Client, part: LivePart, { index }: Argument): Promise<string> {
  const partitions = partitionsOf(part);
  const nameOn = (partition: number) => partitionIndex(index, partition);
  const valid = await validOf(client, partitions.map(nameOn));
  return partitionSet(partitions.filter((partition) => !valid.has(nameOn(partition))));
}

/** Makes the index of the table, and the indexes of its partitions parts of it. build-index.3 */
async function attach(
  client: pg.Client,
  { table }: LiveTable,
  part: LivePart,
  { index, columns }: Argument,
): Promise<void> {
  const parent = pg.escapeIdentifier(index);
  await withLockPatience(client, async () => {
    if ((await stateOfIndex(client, index)) === 'absent')
      await client.query(
        `CREATE INDEX ${parent} ON ONLY ${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`,
      );
    for (const partition of partitionsOf(part))
      // It is done already where this is the same completion again, and then PostgreSQL does nothing.
      await client.query(
        `ALTER INDEX ${parent} ATTACH PARTITION ${pg.escapeIdentifier(partitionIndex(index, partition))}`,
      );
  });
  if ((await stateOfIndex(client, index)) !== 'valid')
    throw new Error(`The index '${index}' of '${table}' has all its parts in '${part.database}', and is not valid.`);
}
