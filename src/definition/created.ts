/** Stands for the event of an entity that comes to be without one. S2.1 */
export const CREATED = 'created';
