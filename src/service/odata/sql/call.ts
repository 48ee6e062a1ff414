import { sql } from 'kysely';
import type { Expression } from '../expression.js';
import type { Sql } from './sql.js';

const WHITESPACE = ' \t\n\r\f\v\u00a0\u2028\u2029';
/** Characters; nothing longer is cut out or skipped. Keeps numbers within PostgreSQL's integer. */
const MAX_SUBSTRING = 1_000_000;

/** A function of the filter language. Null as an operand gives null, as in SQL. */
export function callSql(name: string, operands: readonly Expression[], [first, second, third]: readonly Sql[]): Sql {
  const utc = operands[0]?.type.kind === 'dateTime' ? sql`(${first} at time zone 'UTC')` : sql`${first}`;
  switch (name) {
    case 'contains':
      return sql`(strpos(${first}, ${second}) > 0)`;
    case 'startswith':
      return sql`starts_with(${first}, ${second})`;
    case 'endswith':
      return sql`(right(${first}, char_length(${second})) = ${second})`;
    case 'concat':
      return sql`(${first} || ${second})`;
    case 'indexof':
      return sql`(strpos(${first}, ${second}) - 1)`;
    case 'length':
      return sql`char_length(${first})`;
    case 'substring':
      return third
        ? sql`substr(${first}, ${bounded(second)} + 1, ${bounded(third)})`
        : sql`substr(${first}, ${bounded(second)} + 1)`;
    case 'tolower':
      return sql`lower(${first})`;
    case 'toupper':
      return sql`upper(${first})`;
    case 'trim':
      return sql`btrim(${first}, ${WHITESPACE}::text)`;
    case 'year':
      return sql`extract(year from ${utc})`;
    case 'month':
      return sql`extract(month from ${utc})`;
    case 'day':
      return sql`extract(day from ${utc})`;
    case 'hour':
      return sql`extract(hour from ${utc})`;
    case 'minute':
      return sql`extract(minute from ${utc})`;
    case 'second':
      return sql`floor(extract(second from ${utc}))`;
    case 'fractionalseconds':
      return sql`mod(extract(second from ${utc}), 1)`;
    case 'date':
      return sql`${utc}::date`;
    case 'now':
      return sql`now()`;
    case 'totalseconds':
      return sql`extract(epoch from ${first})`;
    case 'ceiling':
      return sql`ceil(${first}::numeric)`;
    case 'floor':
      return sql`floor(${first}::numeric)`;
    case 'round':
      return sql`round(${first}::numeric)`;
    default:
      throw new Error(`no SQL for the function ${name}`);
  }
}

/**
 * A number of characters: PostgreSQL refuses negative ones. The number is named, not repeated: written twice on each
 * level, nested calls would double the statement each time.
 */
function bounded(number: Sql | undefined): Sql {
  const least = sql`trunc(least(greatest(given.number, 0), ${MAX_SUBSTRING}::numeric))::integer`;
  return sql`(select ${least} from (values (${number}::numeric)) as given(number) where given.number is not null)`;
}
