import type { AnyEntity } from '../../definition/entity.js';
import type { Answer } from '../../protocol/answer.js';
import { EXTEND_EVENT, LOSE_EVENT, REVOKE_EVENT, type ImmediateEvent } from '../../protocol/names.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { admitOversight, refuseOversight } from '../callbacks/oversight.js';
import type { Step } from '../rules/step.js';
import { admitLoss, refuseLoss } from '../successors/loss.js';

/** Something that an operator does at once, also while an action runs. To do it again changes nothing, so it is not remembered. */
interface ImmediateCall {
  refuse(snapshot: Snapshot, request: RaiseRequest): Rejection | undefined;
  admit(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest, now: number): Step & { readonly answer: Answer };
}

const oversight: ImmediateCall = {
  refuse: refuseOversight,
  admit: (_, snapshot, request) => admitOversight(snapshot, request),
};

const CALLS: Readonly<Record<ImmediateEvent, ImmediateCall>> = {
  [LOSE_EVENT]: { refuse: refuseLoss, admit: admitLoss },
  [EXTEND_EVENT]: oversight,
  [REVOKE_EVENT]: oversight,
};

/** The operator's call of this event; nothing for every other event. */
export function immediateCall(event: string): ImmediateCall | undefined {
  return Object.hasOwn(CALLS, event) ? CALLS[event as ImmediateEvent] : undefined;
}
