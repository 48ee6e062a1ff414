/** Why a query is refused: all of them are for the caller to mend. */
export type ODataErrorReason = 'syntax' | 'unknown_name' | 'wrong_type' | 'unsupported' | 'limit';

/** A query option that cannot be followed. Nothing of the query has been run. S6.2 */
export class ODataError extends Error {
  override readonly name = 'ODataError';
  /** Stable, for programs: `odata_syntax`, `odata_unknown_name`, ... */
  readonly code: `odata_${ODataErrorReason}`;

  constructor(
    readonly reason: ODataErrorReason,
    /** The query option, as in `$filter`. */
    readonly option: string,
    /** The character of its value at which the trouble begins; the first is 1. */
    readonly position: number,
    problem: string,
  ) {
    super(`${option} at ${position}: ${problem}`);
    this.code = `odata_${reason}`;
  }
}
