import pg from 'pg';

/** Why a statement failed, which decides what to do next. */
export type Failure =
  /** Another writer was in the way: the same is written again at once. */
  | 'contention'
  /** Another row has the same surrogate. */
  | 'taken'
  /** PostgreSQL will never take one of the rows. */
  | 'data'
  /** PostgreSQL cannot be reached or does not work: the rows are written later. */
  | 'away';

const CONTENTION = ['40001', '40P01'];
const UNIQUE_VIOLATION = '23505';
/** Classes of PostgreSQL's codes: data exception, integrity constraint violation, program limit exceeded. */
const DATA = ['22', '23', '54'];

export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof pg.DatabaseError) || thrown.code === undefined) return 'away';
  if (CONTENTION.includes(thrown.code)) return 'contention';
  if (thrown.code === UNIQUE_VIOLATION) return 'taken';
  return DATA.includes(thrown.code.slice(0, 2)) ? 'data' : 'away';
}
