import type { Table } from '../writing/table.js';

/** How far what is certain of an entity's life goes. */
export const LIVES: Table = {
  name: 'lives',
  columns: { life: 'text', version: 'integer', at: 'time' },
  key: ['life'],
  newest: ['version', 'at'],
};

/** What was kept of a life goes up to this version and time. */
export interface KeptLife {
  readonly life: string;
  readonly version: number;
  readonly at: number;
}
