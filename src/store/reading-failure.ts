import pg from 'pg';

/** Why a query failed, where that has to do with the store. */
export type ReadingFailure =
  /** Its tables or views are not what this version needs, or may not be read. */
  | 'outdated'
  /** The query takes too long, or gives too much. */
  | 'too_much'
  /** PostgreSQL refuses for another reason. */
  | 'refused'
  /** It cannot be reached, or is going down. */
  | 'away';

/** Codes of PostgreSQL for a schema, a table or a column that is not there, and for one that may not be read. */
const OUTDATED = ['3F000', '42P01', '42703', '42501'];
const CANCELED = '57014';
/** Classes of codes: connection exception, insufficient resources, operator intervention, system error. */
const AWAY = ['08', '53', '57', '58'];
const PROGRAM_LIMIT = '54';

/** Nothing when the store is not to blame. */
export function readingFailure(thrown: unknown): ReadingFailure | undefined {
  if (!(thrown instanceof pg.DatabaseError)) return failureOfDriver(thrown);
  const { code = '' } = thrown;
  if (OUTDATED.includes(code)) return 'outdated';
  if (code === CANCELED || code.startsWith(PROGRAM_LIMIT)) return 'too_much';
  return AWAY.includes(code.slice(0, 2)) ? 'away' : 'refused';
}

/** Whether the system refused, or the driver gave up: it has no class for that. */
function failureOfDriver(thrown: unknown): ReadingFailure | undefined {
  if (thrown instanceof AggregateError) return thrown.errors.some(failureOfDriver) ? 'away' : undefined;
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.message === 'Query read timeout') return 'too_much';
  return 'syscall' in thrown || /timeout|terminated/i.test(thrown.message) ? 'away' : undefined;
}
