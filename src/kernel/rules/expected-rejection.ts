/*
 * Tells whether somebody expects that an event may be rejected. A rejection that nobody expects makes the operation failed. S3.6
 */
import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { EntityRef } from '../../protocol/names.js';

/** Tells whether a subscription asks if a successor has rejected its event. */
export function asksAboutRejection({ subscriptions }: AnyEntity, to: EntityRef, role: string | undefined): boolean {
  return Object.values(subscriptions)
    .flatMap(({ when }) => patternsIn(when))
    .some(({ filter, test }) => {
      const means = (asked: string | undefined, is: string | undefined) => asked === undefined || asked === is;
      const { type, key } = filter;
      return test.is === 'rejected' && means(type, to.type) && means(key, to.key) && means(filter.role, role);
    });
}

/** Tells whether nobody expects that the event may be rejected. An action that waits for it is told, and so is a caller outside. */
export function isUnexpected({
  from,
  awaited,
  mayBeRejected,
}: Pick<RaiseRequest, 'from' | 'awaited' | 'mayBeRejected'>): boolean {
  return from !== undefined && awaited === undefined && mayBeRejected !== true;
}
