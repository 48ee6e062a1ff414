import { TABLES } from '../names.js';
import { columnArrays, columnValue } from './columns.js';
import type { Table } from './table.js';

/**
 * The statement that writes any number of rows of a table. The rows are given as `columnValues`. They are locked in the order of
 * their surrogates and names, so that writers never wait for each other in a circle.
 */
export function upsertStatement(table: Table, kept: boolean): string {
  const known = kept ? STATEMENTS.kept : STATEMENTS.offered;
  const statement = known.get(table) ?? makeStatement(table, kept);
  known.set(table, statement);
  return statement;
}

/** Lists show milliseconds: a reader that continues after the last time it saw does not see the same row again. */
const WRITTEN_NOW = `date_trunc('milliseconds', now())`;

/** The statements that were made. Each is made only once, since they are long. */
const STATEMENTS = { kept: new Map<Table, string>(), offered: new Map<Table, string>() };

function makeStatement(table: Table, kept: boolean): string {
  const columns = Object.entries(table.columns);
  const names = columns.map(([name]) => name).join(', ');
  const values = columns.map(([name, type]) => columnValue(name, type)).join(', ');
  const where = table.offeredWhen === undefined || kept ? '' : `where ${table.offeredWhen}`;
  const order = [...(table.surrogate === undefined ? [] : [table.surrogate]), ...table.key];
  const [written, now] = table.writtenAt === undefined ? ['', ''] : [`, ${table.writtenAt}`, `, ${WRITTEN_NOW}`];
  return `insert into ${TABLES}.${table.name} as old (${names}${written})
    select ${values}${now} from ${columnArrays(table)} ${where}
    order by ${order.map((column) => `new.${column}`).join(', ')}
    on conflict (${table.key.join(', ')}) do ${resolution(table, kept)}`;
}

function resolution(table: Table, kept: boolean): string {
  const newer = comparison(table.newest, kept ? '>=' : '>');
  const conditions = [...newer, ...(kept && table.keptWhen !== undefined ? [table.keptWhen] : [])];
  if (conditions.length === 0) return 'nothing';
  const contents = Object.keys(table.columns).filter(
    (name) => ![...table.key, table.surrogate, table.lasting].includes(name),
  );
  const changes = [
    ...contents.map((name) => `${name} = ${name === table.sticky ? `old.${name} or ` : ''}excluded.${name}`),
    ...(table.lasting === undefined
      ? []
      : [`${table.lasting} = coalesce(excluded.${table.lasting}, old.${table.lasting})`]),
    ...(table.writtenAt === undefined ? [] : [`${table.writtenAt} = ${WRITTEN_NOW}`]),
  ];
  // A row that comes again unchanged costs no write.
  const differs = comparison(contents, 'is distinct from').join();
  return `update set ${changes.join(', ')} where (${conditions.join(' or ')}) and ${differs}`;
}

function comparison(columns: readonly string[], operator: string): readonly string[] {
  const row = (name: string) => `row(${columns.map((column) => `${name}.${column}`).join(', ')})`;
  return columns.length === 0 ? [] : [`${row('excluded')} ${operator} ${row('old')}`];
}
