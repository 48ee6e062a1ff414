import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Application } from '../../src/service/application.js';
import type { Store } from '../../src/store/index.js';

/*
 * The three ways to read what happened in the operation that created a logical server. Each gives all columns of all rows
 * as JSON, in the same order, so that they can be compared.
 */
type Rows = readonly Readonly<Record<string, unknown>>[];

/** The rows that tell of an operation at all three levels, and of the entities that came of it. */
export interface Reading {
  readonly operations: Rows;
  readonly events: Rows;
  readonly transitions: Rows;
  readonly entities: Rows;
}

function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}

/** The columns of rows, without what lists say beside them. */
function columnsOf(rows: Rows): Rows {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('@'))));
}

/** In SQL, from the views. */
export async function readInSql({ reader }: Store, operation: string, server: string): Promise<Reading> {
  const operations = await reader.selectFrom('operations').selectAll().where('request_id', '=', operation).execute();
  const events = reader.selectFrom('state_machine_events').selectAll().where('request_id', '=', operation);
  const transitions = reader
    .selectFrom('state_machine_transitions')
    .selectAll()
    .where('operation_id', '=', operations[0]!.operation_id);
  // All entities of a server have its name as their key.
  const entities = reader.selectFrom('entities').selectAll().where('key', '=', server);
  const rows = {
    operations,
    events: await events.orderBy('event_id').execute(),
    transitions: await transitions.orderBy('event_id').orderBy('transition_ordinal').execute(),
    entities: await entities.orderBy('type').execute(),
  };
  return parse<Reading>(JSON.stringify(rows));
}

/** Over HTTP, from each level down to the next. */
export async function readOverHttp(application: Application, operation: string, server: string): Promise<Reading> {
  const list = async (path: string, options: Readonly<Record<string, string>> = {}): Promise<Rows> => {
    const answer = await application.fetch(new Request(`http://127.0.0.1${path}?${new URLSearchParams(options)}`));
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return columnsOf(parse<{ readonly value: Rows }>(await answer.text()).value);
  };
  const path = `/api/operations/${operation}/events`;
  const events = await list(path, { $orderby: 'event_id' });
  const transitions = [];
  for (const { event_id } of events) {
    transitions.push(...(await list(`${path}/${Number(event_id)}/transitions`, { $orderby: 'transition_ordinal' })));
  }
  return {
    operations: await list('/api/operations', { $filter: `request_id eq '${operation}'` }),
    events,
    transitions,
    entities: await list('/api/entities', { $filter: `key eq '${server}'`, $orderby: 'type' }),
  };
}

/** On the command line, as scripts read it. `services` is what names Temporal and the store. */
export async function readOnCommandLine(
  services: NodeJS.ProcessEnv,
  operation: string,
  server: string,
): Promise<Reading> {
  const list = async (...args: readonly string[]): Promise<Rows> => {
    const env = { ...process.env, ...services };
    const { stdout } = await promisify(execFile)(resolve('node_modules/.bin/reeve'), [...args, '--json'], { env });
    // The command line adds a name that its other commands take. test/cli/schema.test.ts
    return columnsOf(parse<{ readonly items: Rows }>(stdout).items).map(({ entity: _, ...row }) => row);
  };
  return {
    operations: await list('operations', 'list', '--where', `request_id eq '${operation}'`),
    events: await list('events', operation),
    transitions: await list('transitions', operation),
    entities: await list('entities', '--where', `key eq '${server}'`),
  };
}
