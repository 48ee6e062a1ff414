import pg from 'pg';

/** Why a query failed, where the cause is the store. */
export type ReadingFailure =
  /** The tables or views are not what this version needs, or may not be read. */
  | 'outdated'
  /** The query takes too long, or its result is too large. */
  | 'too_much'
  /** PostgreSQL refuses for another reason. */
  | 'refused'
  /** PostgreSQL cannot be reached, or is going down. */
  | 'away';

/** Codes of PostgreSQL for a missing schema, table or column, and for one that may not be read. */
const OUTDATED = ['3F000', '42P01', '42703', '42501'];
const CANCELED = '57014';
/** Classes of PostgreSQL's codes: connection exception, insufficient resources, operator intervention, system error. */
const AWAY = ['08', '53', '57', '58'];
const PROGRAM_LIMIT = '54';

/** Why a query failed; nothing when the store is not the cause. */
export function readingFailure(thrown: unknown): ReadingFailure | undefined {
  if (!(thrown instanceof pg.DatabaseError)) return failureOfDriver(thrown);
  const { code = '' } = thrown;
  if (OUTDATED.includes(code)) return 'outdated';
  if (code === CANCELED || code.startsWith(PROGRAM_LIMIT)) return 'too_much';
  return AWAY.includes(code.slice(0, 2)) ? 'away' : 'refused';
}

/** Why the driver or the operating system gave up. The driver has no error class for that, so this looks at the message. */
function failureOfDriver(thrown: unknown): ReadingFailure | undefined {
  if (thrown instanceof AggregateError) return thrown.errors.some(failureOfDriver) ? 'away' : undefined;
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.message === 'Query read timeout') return 'too_much';
  return 'syscall' in thrown || /timeout|terminated/i.test(thrown.message) ? 'away' : undefined;
}
