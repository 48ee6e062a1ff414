import type { AnyEntity } from '../definition/entity.js';
import type { EntityMessage, RaiseRequest } from '../protocol/messages.js';
import type { PastRequest } from '../protocol/past-request.js';
import type { Reserve } from '../protocol/reservation.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { receiveAccepted } from './acceptance.js';
import { admit, admitCancel } from './admit.js';
import { forward, probeOf } from './circle.js';
import { answerInquiry } from './inquiry.js';
import { answerLook } from './look-answer.js';
import { receiveStranger } from './look.js';
import { answerRead } from './reading.js';
import { receive } from './receive.js';
import { release, reserve } from './reservation.js';
import type { Step } from './step.js';

/**
 * What a message changes, and what is said because of it. What the running action waits for, it hears by itself. `past` is
 * what the store knows of the event in it.
 */
export function hear(
  entity: AnyEntity,
  snapshot: Snapshot,
  message: EntityMessage,
  now: number,
  past?: PastRequest,
): Step {
  switch (message.kind) {
    case 'raise':
      return probing(admit(entity, snapshot, message.request, now, past), message.request);
    case 'report':
      return receive(entity, snapshot, message, now);
    case 'accepted':
      return receiveAccepted(entity, snapshot, message, now);
    case 'cancel':
      return admitCancel(entity, snapshot, message, now, past);
    case 'inquiry':
      return answerInquiry(snapshot, message);
    case 'look':
      return { snapshot, effects: answerLook(entity, snapshot, message) };
    case 'stranger':
      return receiveStranger(entity, snapshot, message, now);
    case 'read':
      return { snapshot, effects: answerRead(entity, snapshot, message) };
    case 'reserve':
      return probing(reserve(entity, snapshot, message, now), message);
    case 'release':
      return release(entity, snapshot, message, now);
    case 'probe':
      return { snapshot, effects: forward(snapshot, message) };
    case 'awaited':
    case 'view':
      return { snapshot, effects: [] };
  }
}

/** An action has begun to wait for this entity: does this entity wait for that action? S3.8 */
function probing({ snapshot, effects }: Step, asked: RaiseRequest | Reserve): Step {
  const probe = probeOf(snapshot, asked);
  return { snapshot, effects: probe ? [...effects, ...forward(snapshot, probe)] : effects };
}
