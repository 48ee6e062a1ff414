export type SideName = 'raw' | 'reeve';
export const SIDES: readonly SideName[] = ['raw', 'reeve'];
