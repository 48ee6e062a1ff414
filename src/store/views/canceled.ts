import { table } from './view.js';

/**
 * SQL: the result of the event `e`. Newer records tell themselves that a cancel has ended them. An event that went well is canceled if it
 * was open when its entity honoured a cancel of its operation: the two have settled together, so it has ended at a later version than that
 * at which the request was taken. S5.1
 */
export const RESULT = `case when e.result = 'success' and exists (
    select from ${table('events')} c
      where c.life = e.life and c.operation = e.operation and starts_with(c.id, c.operation || '/cancel/') and c.id <> e.id
        and c.result is distinct from 'rejected'
        and c.start_version >= e.start_version and c.start_version < e.end_version
  ) then 'canceled' else e.result end`;
