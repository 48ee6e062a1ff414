import { sql } from 'kysely';
import type { Expression } from '../expression.js';
import type { FunctionName } from '../functions.js';
import type { Sql } from './sql.js';

const WHITESPACE = ' \t\n\r\f\v\u00a0\u2028\u2029';
/** The most characters that are cut out or skipped. It keeps numbers within PostgreSQL's integer. */
const MAX_SUBSTRING = 1_000_000;

/** The arguments that a function is called with. `utc` is the first operand; a dateTime is in UTC there. */
interface Call {
  readonly operands: readonly Sql[];
  readonly utc: Sql;
}

const CALLS: Readonly<Record<FunctionName, (call: Call) => Sql>> = {
  contains: ({ operands: [first, second] }) => sql`(strpos(${first}, ${second}) > 0)`,
  startswith: ({ operands: [first, second] }) => sql`starts_with(${first}, ${second})`,
  endswith: ({ operands: [first, second] }) => sql`(right(${first}, char_length(${second})) = ${second})`,
  concat: ({ operands: [first, second] }) => sql`(${first} || ${second})`,
  indexof: ({ operands: [first, second] }) => sql`(strpos(${first}, ${second}) - 1)`,
  length: ({ operands: [first] }) => sql`char_length(${first})`,
  substring: ({ operands: [first, second, third] }) =>
    third
      ? sql`substr(${first}, ${bounded(second)} + 1, ${bounded(third)})`
      : sql`substr(${first}, ${bounded(second)} + 1)`,
  tolower: ({ operands: [first] }) => sql`lower(${first})`,
  toupper: ({ operands: [first] }) => sql`upper(${first})`,
  trim: ({ operands: [first] }) => sql`btrim(${first}, ${WHITESPACE}::text)`,
  year: ({ utc }) => sql`extract(year from ${utc})`,
  month: ({ utc }) => sql`extract(month from ${utc})`,
  day: ({ utc }) => sql`extract(day from ${utc})`,
  hour: ({ utc }) => sql`extract(hour from ${utc})`,
  minute: ({ utc }) => sql`extract(minute from ${utc})`,
  second: ({ utc }) => sql`floor(extract(second from ${utc}))`,
  fractionalseconds: ({ utc }) => sql`mod(extract(second from ${utc}), 1)`,
  date: ({ utc }) => sql`${utc}::date`,
  now: () => sql`now()`,
  totalseconds: ({ operands: [first] }) => sql`extract(epoch from ${first})`,
  ceiling: ({ operands: [first] }) => sql`ceil(${first}::numeric)`,
  floor: ({ operands: [first] }) => sql`floor(${first}::numeric)`,
  round: ({ operands: [first] }) => sql`round(${first}::numeric)`,
};

/** A function of the filter language. Null as an operand gives null, as in SQL. */
export function callSql(name: FunctionName, operands: readonly Expression[], values: readonly Sql[]): Sql {
  const utc = operands[0]?.type.kind === 'dateTime' ? sql`(${values[0]} at time zone 'UTC')` : sql`${values[0]}`;
  return CALLS[name]({ operands: values, utc });
}

/**
 * Limits a number of characters, since PostgreSQL refuses negative ones. The statement gives the number a name and does not
 * repeat it. Otherwise each level of nested calls would double the statement.
 */
function bounded(number: Sql | undefined): Sql {
  const least = sql`trunc(least(greatest(given.number, 0), ${MAX_SUBSTRING}::numeric))::integer`;
  return sql`(select ${least} from (values (${number}::numeric)) as given(number) where given.number is not null)`;
}
