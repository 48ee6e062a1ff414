import { type EntityInput, toBeTold } from '../../kernel/index.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { LivingRef } from '../../protocol/refs.js';
import { entityId } from '../../protocol/names.js';

/**
 * Whom the end of a run concerns: those who are in what it has begun with, and those who have raised an event in its course or were
 * reserved in it. More than those who still watch, perhaps: to hear of an end that has come does no harm.
 */
export function concerned(input: EntityInput | undefined, messages: readonly EntityMessage[]): readonly LivingRef[] {
  const all: LivingRef[] = [];
  const add = ({ type, key, life }: LivingRef) => all.push({ type, key, life });
  if (input?.kind === 'continue') all.push(...toBeTold(input.snapshot));
  else if (input?.request?.from) add(input.request.from);
  for (const message of messages) {
    if (message.kind === 'raise' && message.request.from) add(message.request.from);
    if (message.kind === 'view' && message.granted) add({ ...message.from, life: message.granted.life });
  }
  return [...new Map(all.map((each) => [`${entityId(each)} ${each.life}`, each])).values()];
}
