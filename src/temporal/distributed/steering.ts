import {
  isCleanUp,
  jobRefusal,
  mayBeAtOnce,
  type AnyDistributedOperation,
  type Instance,
  type JobRequest,
} from '../../distributed/index.js';
import { MOST_ACTIVITIES } from '../../definition/limits.js';

/** The orders that operators give to an instance. I5 */
export type Steering =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'limit'; readonly atOnce?: number; readonly perSecond?: number }
  | { readonly kind: 'cancel'; readonly reason?: string }
  | { readonly kind: 'proceed' }
  | JobRequest;

export const STEERING_KINDS: readonly Steering['kind'][] = [
  'pause',
  'resume',
  'limit',
  'cancel',
  'proceed',
  'retry',
  'move',
];

/** Why an instance does not take it; nothing when it does. */
export function steeringProblem(
  operation: AnyDistributedOperation,
  instance: Instance,
  steering: Steering,
): { readonly code: string; readonly message: string } | undefined {
  const { phase, outcome, retries } = instance;
  const { kind } = steering;
  if (!STEERING_KINDS.includes(kind))
    return {
      code: 'invalid_request',
      message: `It cannot be told '${String(kind)}', only: ${STEERING_KINDS.join(', ')}.`,
    };
  if (kind === 'limit') {
    const { atOnce, perSecond } = steering;
    if (atOnce !== undefined && !mayBeAtOnce(atOnce))
      return {
        code: 'invalid_request',
        message: `atOnce is ${atOnce}. Give a whole number from 1 to ${MOST_ACTIVITIES}.`,
      };
    if (perSecond !== undefined && !(perSecond > 0 && Number.isFinite(perSecond)))
      return { code: 'invalid_request', message: `perSecond is ${perSecond}. Give a number above 0.` };
    if (atOnce === undefined && perSecond === undefined)
      return { code: 'invalid_request', message: 'A limit has atOnce, perSecond, or both.' };
  }
  if (kind === 'retry' || kind === 'move')
    return isJobRequest(steering)
      ? jobRefusal(operation, instance, steering)
      : {
          code: 'invalid_request',
          message: `'${kind}' takes a partition, a request id${kind === 'move' ? ' and a place' : ''}.`,
        };
  if (kind === 'proceed') {
    return Object.values(retries).some(isCleanUp)
      ? undefined
      : { code: 'ending', message: `No clean-up fails, so 'proceed' has nothing to act on.` };
  }
  if (phase === 'running' || (kind === 'cancel' && outcome === 'cancelled')) return undefined;
  return {
    code: 'ending',
    message: `It ${outcome === 'cancelled' ? 'was canceled' : `has ${outcome ?? 'ended'}`} and runs no jobs any more, so '${kind}' has nothing to act on.`,
  };
}

/** Anybody with a Temporal client can send one. */
function isJobRequest(steering: JobRequest): boolean {
  const { partition, request } = steering;
  const isMove = steering.kind !== 'move' || typeof steering.place === 'string';
  return Number.isInteger(partition) && partition >= 0 && typeof request === 'string' && request !== '' && isMove;
}
