import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { Reserve, Seal } from '../../protocol/reservation.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { receiveAccepted } from '../successors/acceptance.js';
import { admit, admitCancel } from './admit.js';
import { forward, probeOf } from '../reservations/circle.js';
import { hearDeployment } from './hear-deployment.js';
import { receiveLost } from '../successors/ended-successor.js';
import { answerOwnerLook } from '../reservations/owner-look.js';
import { answerInquiry } from '../successors/inquiry.js';
import { answerLook, watchAgain } from '../successors/look-answer.js';
import { receiveStranger } from '../successors/look.js';
import { answerRead } from '../rules/reading.js';
import { receive } from '../successors/receive.js';
import { repeatedAnswer } from '../engagements/repeat.js';
import { beginLease, release, reserve } from '../reservations/reservation.js';
import { eventDecided, seal, unseal } from '../reservations/seal.js';
import type { Step } from '../rules/step.js';
import { rejectWithdrawn, withdraw } from '../successors/withdraw.js';

/** All that is known of a message that has waited for the store. */
export interface Cleared {
  /** All that the store knows of the event in it. */
  readonly past?: PastRequest | undefined;
  /** Tells whether its event was withdrawn meanwhile. */
  readonly withdrawn?: boolean;
}

/**
 * Gives what a message changes, and what is sent because of it. The answers for which the running action waits are taken in before
 * (`src/kernel/waits`).
 */
export function hear(
  entity: AnyEntity,
  snapshot: Snapshot,
  message: EntityMessage,
  now: number,
  { past, withdrawn = false }: Cleared = {},
): Step {
  switch (message.kind) {
    case 'raise':
      if (withdrawn && !repeatedAnswer(snapshot, message.request, past))
        return rejectWithdrawn(entity, snapshot, message.request, message.request.from!, now);
      return probing(raised(entity, snapshot, message.request, now, past), message.request);
    case 'report':
      return receive(entity, snapshot, message, now);
    case 'accepted':
      return receiveAccepted(entity, snapshot, message, now);
    case 'withdraw':
      return withdraw(entity, snapshot, message, now);
    case 'cancel':
      return admitCancel(entity, snapshot, message, now, past);
    case 'inquiry':
      return answerInquiry(snapshot, message);
    case 'look':
      return { snapshot: watchAgain(snapshot, message), effects: answerLook(entity, snapshot, message) };
    case 'stranger':
      return receiveStranger(entity, snapshot, message, now);
    case 'lost':
      return receiveLost(entity, snapshot, message, now);
    case 'read':
      return { snapshot, effects: answerRead(entity, snapshot, message) };
    case 'reserve':
      return probing(reserve(entity, snapshot, message, now), message);
    case 'lease':
      return { snapshot: beginLease(snapshot, message, now), effects: [] };
    case 'release':
      return release(entity, snapshot, message, now);
    case 'seal':
      return probing(seal(entity, snapshot, message, now), message);
    case 'unseal':
      return unseal(entity, snapshot, message, now);
    case 'owner-look':
      return { snapshot, effects: answerOwnerLook(snapshot, message) };
    case 'probe':
      return { snapshot, effects: forward(snapshot, message) };
    case 'deployment':
      return hearDeployment(entity, snapshot, message, now);
    case 'awaited':
    case 'view':
    case 'sealed':
      return { snapshot, effects: [] };
  }
}

function raised(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  now: number,
  past: PastRequest | undefined,
): Step {
  const { answer, ...step } = admit(entity, snapshot, request, now, past);
  return answer.status === 'waiting' ? step : eventDecided(entity, step, request.id, now);
}

/** Sends a probe when an action has begun to wait for this entity, since this entity may wait for that action. S3.8 */
function probing({ snapshot, effects }: Step, asked: RaiseRequest | Reserve | Seal): Step {
  const probe = probeOf(snapshot, asked);
  return { snapshot, effects: probe ? [...effects, ...forward(snapshot, probe)] : effects };
}
