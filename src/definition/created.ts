/** Stands for the event of an entity that is created without one. S2.1 */
export const CREATED = 'created';
