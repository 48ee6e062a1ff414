/*
 * All that an entity asks of a successor: whether it judges the reports, and for how long they come. A function of its declaration
 * alone.
 */
import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Watcher } from '../../protocol/request.js';
import type { EntityRef } from '../../protocol/names.js';
import { followsAcceptance } from './acceptance.js';

export type Interest = Pick<Watcher, 'judges' | 'follows' | 'lasting'>;

export function interestIn(entity: AnyEntity, to: EntityRef): Interest {
  const meaning = Object.values(entity.subscriptions).filter(({ when }) =>
    patternsIn(when).some(({ filter: { type = to.type, key = to.key } }) => type === to.type && key === to.key),
  );
  const lasting =
    meaning.some(({ among }) => among === 'life') || Object.values(entity.links).some((link) => link.to === to.type);
  return {
    judges: meaning.length > 0,
    ...(followsAcceptance(entity) && { follows: true }),
    ...(lasting && { lasting }),
  };
}
