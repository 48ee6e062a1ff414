import { type EntityInput, toBeTold } from '../../kernel/index.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { LivingRef } from '../../protocol/refs.js';
import { entityId } from '../../protocol/names.js';

/**
 * The entities that the end of a run concerns: those in the snapshot with which it began, and those that raised an event or
 * were reserved in its course. These may be more than still watch, but it does no harm to hear of an end.
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
