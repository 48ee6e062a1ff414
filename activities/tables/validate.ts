import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import {
  implementDistributedOperation,
  JobStopped,
  type Completing,
  type JobContext,
  type StartProblem,
} from '../../src/distributed/index.js';
import { validate } from './operations/validate.js';
import { partitionTable } from '../values/table.js';
import { hasLostPatience, withLockPatience } from './lock-patience.js';
import { textOf, type RuleText } from './rule.js';
import { lockOfSession, showingLocks } from './lock-of.js';
import { onEachInstance } from './on-each-instance.js';
import { isAway, type Sessions } from './sessions.js';
import { haveReached, slotsOf, writtenUpTo } from './standby-lag.js';
import { firstProblem, unknownColumns } from './start-checks.js';
import {
  instancesOf,
  partWith,
  type LiveInstance,
  type LivePart,
  type LiveTable,
  type TablePlaces,
} from './table-places.js';

type Argument = z.output<typeof validate.argument>;
type Progress = z.output<typeof validate.progress.schema>;

/** How many keys of rows that break the rule are named for each partition, and the length of all of them in characters. */
const MOST_KEYS = 100;
const MOST_CHARACTERS = 1_500;
/** How many of them the error of the operation names. */
const NAMED_KEYS = 10;
/** After how long an instance is tried again that cannot be used, or is behind, in milliseconds. */
const AWAY_MS = 2_000;
const BEHIND_MS = 500;
/** The longest that one batch may take. */
const BATCH_TIMEOUT = '60s';
const DUPLICATE = '42710';
/** The classes of errors that the rule itself makes: of values, of rights, of functions, and of what a reader must not do. */
const OF_THE_RULE = /^(0A|22|25|2F|38|42|P0)/;

/**
 * validate.1. Where there is a standby, it is read, once it has come to where the primary was when the job began.
 * validate.2. A constraint is there, and holds for new rows, before the first row is read. It is validated at the end, or taken away again.
 * validate.3. A rule may call what users have written. So it runs as the owner of the table, never in a session of the superuser,
 *     and can change nothing.
 */
export const validateLogic = (places: TablePlaces, sessions: Sessions) => {
  const ownerOf = (part: LivePart) => sessions.asAdministratorOf(part.server);
  return implementDistributedOperation(validate, {
    check: (target, argument, instance) => check(places, sessions, target, argument, instance),
    async job({ target, partition, place }, argument, context) {
      const table = await places.find(target);
      const part = table && partWith(table, partition);
      const instance = part && instancesOf(part).findLast((each) => each.place === place);
      if (!table || !instance) return context.later(AWAY_MS, `${target} has moved or gone`);
      try {
        if (argument.constraint) {
          const making = { instance: context.instance, database: part.database, name: argument.name };
          await sessions.noteMaking(part.primary.application, making);
          await onEachInstance(ownerOf(part), [part], context.instance, (client) => constrain(client, table, argument));
        }
        if (instance !== part.primary && !(await isCaughtUp(sessions, part, instance, context)))
          return context.later(BEHIND_MS, `the standby in ${place} is behind its primary`);
        const read = await readAll(sessions, { table, part, partition, instance }, argument, context);
        if (!read) return context.goOn();
        if (read.broken === 0) return context.complete({ rows: read.done });
        return context.fail(wordsOf(read, argument), { rows: read.done, broken: read.broken, keys: read.keys });
      } catch (thrown) {
        if (isAway(thrown)) return context.later(AWAY_MS, thrown.message);
        if (!(thrown instanceof pg.DatabaseError) || !OF_THE_RULE.test(thrown.code ?? '')) throw thrown;
        return context.fail(`the rule '${argument.name}' fails in partition ${partition}: ${thrown.message}`);
      }
    },
    // A job only reads.
    cleanUp: async () => undefined,
    async complete(target, argument, completing) {
      const table = await places.find(target);
      if (table && argument.constraint) {
        const { success, instance } = completing;
        for (const part of table.parts) {
          await onEachInstance(ownerOf(part), [part], instance, (client) =>
            success ? confirm(client, table, argument) : release(client, table, argument),
          );
          for (const { application } of instancesOf(part)) await sessions.forgetMaking(application, instance);
        }
      }
      const failed = completing.outcome === 'failed' ? summaryOf(target, argument, completing) : undefined;
      if (failed !== undefined) return { failed };
    },
  });
};

async function check(
  places: TablePlaces,
  sessions: Sessions,
  target: string,
  argument: Argument,
  instance: string,
): Promise<StartProblem> {
  const table = await places.find(target);
  if (!table) return undefined;
  const rule = textOf(argument.rule);
  return firstProblem(
    sessions,
    (part) => sessions.asAdministratorOf(part.server),
    table,
    instance,
    async (client) => {
      const unknown = await unknownColumns(client, table, rule.columns);
      if (unknown) return unknown;
      if (argument.constraint && (await hasConstraint(client, table, argument.name))) {
        const message = `${target} has a constraint '${argument.name}' already. Choose another name.`;
        return { code: 'constraint_exists', message };
      }
      return ruleProblem(client, table, rule.broken);
    },
  );
}

async function ruleProblem(client: pg.Client, table: LiveTable, broken: string): Promise<StartProblem> {
  try {
    await readOnly(client, () => ask(client, `SELECT ${broken} FROM ${pg.escapeIdentifier(table.table)} LIMIT 0`));
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || hasLostPatience(thrown)) throw thrown;
    return { code: 'invalid_rule', message: `PostgreSQL does not take the rule: ${thrown.message}.` };
  }
}

/** Reads the rows of a partition in batches, in the order of their keys. Gives nothing when the lane wants to end before. */
async function readAll(
  sessions: Sessions,
  at: {
    readonly table: LiveTable;
    readonly part: LivePart;
    readonly partition: number;
    readonly instance: LiveInstance;
  },
  argument: Argument,
  context: JobContext<Progress>,
): Promise<Progress | undefined> {
  const { table, part, partition, instance } = at;
  const rule = textOf(argument.rule);
  const { perSecond } = context;
  const batch = Math.min(argument.batch, perSecond ?? argument.batch);
  const from = pg.escapeIdentifier(partitionTable(table.table, partition));
  const owner = sessions.asAdministratorOf(part.server);
  const { application } = instance;
  return owner.use(application, part.database, context.instance, async (client) => {
    // A statement that runs is cut short when the job has to stop.
    let isOver = false;
    context.stop.onStop(() => {
      if (!isOver) void cancel(sessions, at, context.instance, client).catch(() => undefined);
    });
    let read: Progress = (argument.resume ? context.resumed : undefined) ?? {
      done: 0,
      total: await rowsIn(client, from),
      last: '',
      broken: 0,
      keys: [],
    };
    const inBatch = (after: Progress) => readBatch(client, table, from, { rule, batch, after });
    for (;;) {
      const startedAt = Date.now();
      const { rows, broken, last, keys } = await showingLocks(
        context,
        () => lockOfSession(sessions, { application, database: part.database, name: context.instance }, client),
        () => inBatch(read),
      ).catch((thrown: unknown) => {
        throw context.stop.stopped ? new JobStopped() : thrown;
      });
      const done = read.done + rows;
      read = {
        done,
        total: Math.max(read.total, done),
        last: last ?? read.last,
        broken: read.broken + broken,
        keys: firstOf([...read.keys, ...keys]),
      };
      isOver = rows < batch;
      if (isOver) return read;
      await context.progress(read);
      isOver = context.timeIsUp;
      if (isOver) return undefined;
      if (perSecond !== undefined) await delay(Math.max(0, (rows / perSecond) * 1_000 - (Date.now() - startedAt)));
    }
  });
}

/** Reads the rows whose keys come next. */
async function readBatch(
  client: pg.Client,
  table: LiveTable,
  from: string,
  { rule, batch, after }: { readonly rule: RuleText; readonly batch: number; readonly after: Progress },
) {
  const key = pg.escapeIdentifier(table.keyColumn);
  const where = after.done === 0 ? '' : `WHERE ${key} > $2`;
  const [row] = await readOnly(client, () =>
    ask<{ rows: string; last: string | null; broken: string; keys: readonly string[] | null }>(
      client,
      `WITH batch AS MATERIALIZED (SELECT ${key} AS key, ${rule.broken} AS broken FROM ${from} ${where} ORDER BY ${key} LIMIT $1)
       SELECT count(*) AS rows, (array_agg(key::text ORDER BY key DESC))[1] AS last, count(*) FILTER (WHERE broken) AS broken,
         (array_agg(key::text ORDER BY key) FILTER (WHERE broken))[1:${MOST_KEYS}] AS keys FROM batch`,
      after.done === 0 ? [batch] : [batch, after.last],
    ),
  );
  const { rows, broken, last, keys } = row!;
  return { rows: Number(rows), broken: Number(broken), last, keys: keys ?? [] };
}

async function cancel(
  sessions: Sessions,
  { part, instance }: { readonly part: LivePart; readonly instance: LiveInstance },
  name: string,
  client: pg.Client & { readonly processID?: number | null },
): Promise<void> {
  await sessions.use(instance.application, part.database, name, (other) =>
    other.query('SELECT pg_cancel_backend($1)', [client.processID]),
  );
}

/** As many rows as PostgreSQL believes there are; it is asked to count them only where it does not know. */
async function rowsIn(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ tuples: string }>(
    'SELECT greatest(reltuples, 0)::bigint AS tuples FROM pg_class WHERE oid = to_regclass($1)',
    [table],
  );
  return Math.max(1, Number(rows[0]?.tuples ?? 0));
}

/** validate.3: what a rule calls can change nothing, and cannot take for ever. */
async function readOnly<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(`SET LOCAL statement_timeout = '${BATCH_TIMEOUT}'`);
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** One statement: a rule cannot smuggle in a second one. */
async function ask<Row extends object>(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await client.query<Row>({ text, values: [...values], queryMode: 'extended' } as pg.QueryConfig)).rows;
}

async function isCaughtUp(
  sessions: Sessions,
  part: LivePart,
  standby: LiveInstance,
  context: JobContext<Progress>,
): Promise<boolean> {
  const slots = await sessions.use(standby.application, part.database, context.instance, slotsOf);
  const place = await sessions.use(part.primary.application, part.database, context.instance, writtenUpTo);
  const endsAt = Date.now() + AWAY_MS;
  for (;;) {
    if (
      await sessions.use(part.primary.application, part.database, context.instance, (client) =>
        haveReached(client, slots, place),
      )
    )
      return true;
    if (Date.now() > endsAt || context.stop.stopped) return false;
    await delay(50);
  }
}

async function hasConstraint(client: pg.Client, { table }: LiveTable, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_constraint WHERE conrelid = to_regclass($1) AND conname = $2',
    [pg.escapeIdentifier(table), name],
  );
  return rowCount !== 0;
}

/** validate.2 */
async function constrain(client: pg.Client, table: LiveTable, { name, rule }: Argument): Promise<void> {
  if (await hasConstraint(client, table, name)) return;
  try {
    await withLockPatience(client, () =>
      ask(
        client,
        `ALTER TABLE ${pg.escapeIdentifier(table.table)} ADD CONSTRAINT ${pg.escapeIdentifier(name)} CHECK (${textOf(rule).kept}) NOT VALID`,
      ),
    );
  } catch (thrown) {
    // Another job of the same database was faster.
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== DUPLICATE) throw thrown;
  }
}

async function confirm(client: pg.Client, live: LiveTable, argument: Argument): Promise<void> {
  // Where somebody has taken it away meanwhile, it comes back: PostgreSQL then reads all rows itself.
  await constrain(client, live, argument);
  const [table, name] = [live.table, argument.name];
  await withLockPatience(client, () =>
    client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} VALIDATE CONSTRAINT ${pg.escapeIdentifier(name)}`),
  );
}

async function release(client: pg.Client, { table }: LiveTable, { name }: Argument): Promise<void> {
  await withLockPatience(client, () =>
    client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} DROP CONSTRAINT IF EXISTS ${pg.escapeIdentifier(name)}`),
  );
}

function firstOf(keys: readonly string[]): string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const key of keys.slice(0, MOST_KEYS)) {
    characters += JSON.stringify(key).length + 1;
    if (characters > MOST_CHARACTERS) break;
    kept.push(key);
  }
  return kept;
}

function wordsOf({ broken, keys }: Pick<Progress, 'broken' | 'keys'>, { name }: Argument): string {
  const more = broken > keys.length ? ' and others' : '';
  return `${rowsBreak(broken, name)}: ${keys.join(', ')}${more}`;
}

function rowsBreak(broken: number, name: string): string {
  return `${broken} ${broken === 1 ? 'row breaks' : 'rows break'} '${name}'`;
}

/** All rows that break the rule, in one line: how many, and the first of their keys. Nothing where jobs have failed otherwise. */
export function summaryOf(
  target: string,
  { name }: Pick<Argument, 'name'>,
  { results }: Pick<Completing, 'results'>,
): string | undefined {
  const failures = Object.values(results).filter(
    (result) => typeof result === 'object' && result !== null && 'message' in result,
  );
  const found = failures.map((result) => (result as { readonly details?: Partial<Progress> }).details);
  if (found.length === 0 || found.includes(undefined)) return undefined;
  const broken = found.reduce((sum, details) => sum + (details?.broken ?? 0), 0);
  const keys = found.flatMap((details) => details?.keys ?? []).slice(0, NAMED_KEYS);
  const left = broken - keys.length;
  const more = left > 0 ? ` and ${left} others; the failures of its partitions name more` : '';
  return `${target}: ${rowsBreak(broken, name)}: ${keys.join(', ')}${more}`;
}
