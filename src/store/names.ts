/** Where the views lie: all that readers see. */
export const VIEWS = 'reeve';
/** Where the tables lie, which may change. S5.2 */
export const TABLES = 'reeve_data';
/** The role that can read the views and nothing else. S5.2 */
export const READER_ROLE = 'reeve_reader';
