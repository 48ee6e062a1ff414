/** The schema of the views. Readers see only these. */
export const VIEWS = 'reeve';
/** The schema of the tables. These may change from version to version. S5.2 */
export const TABLES = 'reeve_data';
/** The role that can read the views and nothing else. S5.2 */
export const READER_ROLE = 'reeve_reader';
