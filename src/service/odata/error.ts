/** Why a query is refused. The caller can mend all of these. */
export type ODataErrorReason = 'syntax' | 'unknown_name' | 'wrong_type' | 'unsupported' | 'limit';

/** A query option that cannot be followed. Nothing of the query has been run. S6.2 */
export class ODataError extends Error {
  override readonly name = 'ODataError';
  /** A name for programs, which stays the same: `odata_syntax`, `odata_unknown_name`, ... */
  readonly code: `odata_${ODataErrorReason}`;

  constructor(
    readonly reason: ODataErrorReason,
    /** The query option, as in `$filter`. */
    readonly option: string,
    /** The character of the option's value at which the mistake begins. The first one is 1. */
    readonly position: number,
    problem: string,
  ) {
    super(`${option}, character ${position}: ${problem}`);
    this.code = `odata_${reason}`;
  }
}
