/*
 * The members of rows beside their columns.
 */

/** Says where a person looks at its workflow. S5.6 */
export const EXECUTION_MEMBER = '@reeve.execution';

/** Says what its error is in full, where the error id leads to the cause that it shares with others. S5.5 */
export const ERROR_MEMBER = '@reeve.error';
