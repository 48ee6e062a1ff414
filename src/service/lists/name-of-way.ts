import type { Properties } from '../odata/index.js';

/** The names of what else is beneath an entity. */
const TAKEN = ['events', 'explanation', 'current_operation'];

/** The name of a declared way. Where something else has this name already, the way adds what it is. */
export function nameOfWay(name: string, columns: Properties, what: 'link' | 'subordinates'): string {
  return Object.hasOwn(columns, name) || TAKEN.includes(name) ? `${name}_${what}` : name;
}
