/*
 * A successor that an operator marks as lost: nobody waits for it any longer. S4.4
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Answer } from '../../protocol/answer.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, LOSE_EVENT } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { lose } from './look.js';
import type { Step } from '../rules/step.js';

/** Why the successor that a request names cannot be lost, or `undefined`. */
export function refuseLoss(snapshot: Snapshot, request: RaiseRequest): Rejection | undefined {
  if (find(snapshot, request)) return undefined;
  const entity = entityId(snapshot);
  const named = nameIn(request.params);
  const known = snapshot.successors.filter(mayBeLost).map(entityId).join(', ') || 'none';
  const said =
    named === undefined ? 'The parameters name no successor' : `${entity} has no successor ${named} to wait for`;
  const code = named === undefined ? 'invalid_parameters' : 'no_such_successor';
  const message = `${said}. It may be lost: ${known}.`;
  const issues = [{ path: 'successor', message: 'write the type and key of a successor, like SqlApplication/orders' }];
  return {
    ...{ code, message, entity, event: LOSE_EVENT, state: snapshot.state },
    ...(named === undefined && { issues }),
  };
}

/** Takes a successor for lost, even while an action runs, as a report is taken in. To mark it again changes nothing. */
export function admitLoss(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  now: number,
): Step & { readonly answer: Answer } {
  const rejection = refuseLoss(snapshot, request);
  if (rejection) return { snapshot, effects: [], answer: { status: 'rejected', rejection } };
  const successor = find(snapshot, request)!;
  const answer: Answer = { status: 'accepted', operation: successor.operation };
  if (successor.outcome?.lost) return { snapshot, effects: [], answer };
  return { ...lose(entity, snapshot, successor, now), answer };
}

function find(snapshot: Snapshot, { params }: RaiseRequest): Successor | undefined {
  const name = nameIn(params);
  return snapshot.successors.find((each) => entityId(each) === name && mayBeLost(each));
}

/** A successor that was deleted or has rejected its event cannot be lost. */
function mayBeLost({ event, outcome }: Successor): boolean {
  return event !== 'rejected' && !outcome?.closed;
}

function nameIn(params: unknown): string | undefined {
  const name = typeof params === 'object' && params && 'successor' in params ? params.successor : undefined;
  return typeof name === 'string' ? name : undefined;
}
