import type { Properties } from '../odata/index.js';

/** What else is beneath an entity. */
const TAKEN = ['events', 'explanation', 'current_operation'];

/** What a declared way is called: a column may have its name, and then it says what it is. */
export function nameOfWay(name: string, columns: Properties, what: 'link' | 'subordinates'): string {
  return Object.hasOwn(columns, name) || TAKEN.includes(name) ? `${name}_${what}` : name;
}
