import { sql } from 'kysely';
import type { Literal } from '../expression.js';
import type { Type } from '../type.js';
import type { Sql } from './sql.js';

const ISO_DATE = String.raw`^\d{4}-\d\d-\d\d$`;
const ISO_TIME = String.raw`^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$`;
const GUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const MAX_BIGINT = 9_223_372_036_854_775_807n;

/** A literal as a parameter, of the type in which PostgreSQL has to compare it. */
export function literalSql({ type, value }: Literal): Sql {
  switch (type.kind) {
    case 'integer': {
      const number = BigInt(value);
      const fits = number <= MAX_BIGINT && number >= -MAX_BIGINT;
      return fits ? sql`${value}::bigint` : sql`${value}::numeric`;
    }
    case 'double':
      return sql`${value}::numeric`;
    case 'boolean':
      return value === 'true' ? sql`true` : sql`false`;
    case 'dateTime':
      return sql`${value}::timestamptz`;
    case 'date':
      return sql`${value}::date`;
    case 'guid':
      return sql`${value}::uuid`;
    case 'duration':
      return sql`make_interval(secs => ${value}::float8)`;
    case 'null':
      return sql`null`;
    default:
      return sql`${value}::text`;
  }
}

/**
 * A JSON value as a value of a kind, or null when it is of another kind. No cast can throw: each is made only of what has been
 * found fit for it, and `case` does not evaluate what it does not choose. It needs PostgreSQL 16 or newer.
 */
export function scalarOfJson(json: Sql, { kind }: Type): Sql {
  const text = sql`(${json} #>> '{}')`;
  const typed = (jsonType: string, value: Sql, condition: Sql = sql`true`) =>
    sql`(case when jsonb_typeof(${json}) = ${jsonType}::text then case when ${condition} then ${value} end end)`;
  switch (kind) {
    case 'string':
    case 'enum':
      return typed('string', text);
    case 'integer':
    case 'double':
      return typed('number', sql`${text}::numeric`);
    case 'boolean':
      return typed('boolean', sql`${text}::boolean`);
    case 'guid':
      return typed('string', sql`${text}::uuid`, sql`${text} ~ ${GUID}::text`);
    case 'date':
      return typed(
        'string',
        sql`${text}::date`,
        sql`${text} ~ ${ISO_DATE}::text and pg_input_is_valid(${text}, 'date')`,
      );
    case 'dateTime':
      return typed(
        'string',
        sql`${text}::timestamptz`,
        sql`${text} ~ ${ISO_TIME}::text and pg_input_is_valid(${text}, 'timestamptz')`,
      );
    default:
      return sql`nullif(${json}, 'null'::jsonb)`;
  }
}

/** A value of a column as JSON. Times are in UTC, to the millisecond; integers that a JavaScript number cannot hold are strings. */
export function jsonOfColumn(column: Sql, { kind }: Type): Sql {
  switch (kind) {
    case 'integer':
      return sql`(case when ${column} between -9007199254740991 and 9007199254740991 then to_jsonb(${column}) else to_jsonb(${column}::text) end)`;
    case 'dateTime':
      return sql`to_jsonb(${timeText(column, 'MS')})`;
    default:
      return sql`to_jsonb(${column})`;
  }
}

/** A time in UTC with all its microseconds, such as `2026-11-21T12:00:00.000000Z`: no two times have the same text. */
export function exactTimeText(time: Sql): Sql {
  return timeText(time, 'US');
}

function timeText(time: Sql, fraction: 'MS' | 'US'): Sql {
  return sql`to_char(${time} at time zone 'UTC', ${sql.lit(`YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"`)})`;
}
