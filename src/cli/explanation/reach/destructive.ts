import type { EntityDescription } from '../../../definition/describe.js';
import { follow } from './automatic.js';

/**
 * Tells whether an event ends its entity: wherever it leads by itself from there, it is deleted. What comes back by itself on the way,
 * such as a state that undoes, is no end.
 */
export function isDestructive(type: EntityDescription, event: string): boolean {
  const { rests } = follow(
    type,
    type.actions.filter(({ on }) => on === event),
  );
  const isEnd = (state: string) => type.states.find(({ name }) => name === state)?.ending === 'deleted';
  return rests.length > 0 && rests.every(isEnd);
}
