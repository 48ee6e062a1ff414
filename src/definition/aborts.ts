import type { AnyEntity } from './entity.js';
import { asList } from './names.js';

/** Whether an event ends the action that runs in a state, instead of waiting for it, provided that it is valid there. S3.2 */
export function abortsIn({ events }: Pick<AnyEntity, 'events'>, event: string, state: string): boolean {
  const { aborts = false } = events[event] ?? {};
  return typeof aborts === 'boolean' ? aborts : asList(aborts).includes(state);
}
