import pg from 'pg';

/** What a failed statement asks for. */
export type Failure =
  /** To be written again at once: another writer was in the way. */
  | 'contention'
  /** A number that another row has. */
  | 'taken'
  /** PostgreSQL will never take one of the rows. */
  | 'data'
  /** PostgreSQL cannot be reached or does not work: to be written later. */
  | 'away';

const CONTENTION = ['40001', '40P01'];
const UNIQUE_VIOLATION = '23505';
/** Classes of codes: data exception, integrity constraint violation, program limit exceeded. */
const DATA = ['22', '23', '54'];

export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof pg.DatabaseError) || thrown.code === undefined) return 'away';
  if (CONTENTION.includes(thrown.code)) return 'contention';
  if (thrown.code === UNIQUE_VIOLATION) return 'taken';
  return DATA.includes(thrown.code.slice(0, 2)) ? 'data' : 'away';
}
