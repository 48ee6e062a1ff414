import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { askSchema } from '../values/ask-schema.js';
import { unknownEvent } from './graph.js';

/** An event that a subscription or a timer raises has to exist, and must not need parameters, since nobody gives any. */
export function raisedEventProblems(entity: AnyEntity, place: string, name: string): readonly DeclarationProblem[] {
  const event = Object.hasOwn(entity.events, name) ? entity.events[name] : undefined;
  if (!event) return [unknownEvent(entity, place, name)];
  if (!event.params || askSchema(event.params, {}).success) return [];
  const remedy = 'Make its parameters optional, or declare a separate event.';
  return [{ place, problem: `'${name}' needs parameters, but none are passed`, remedy }];
}
