import type { EntityMessage } from '../protocol/messages.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { isKnown } from './ledger.js';
import type { Step } from './step.js';

/** An operation has heard nothing for long: it is told what it waits for in vain. S4.4 */
export function answerInquiry(
  snapshot: Snapshot,
  { operation, round, engagements, judgements, life }: Extract<EntityMessage, { kind: 'inquiry' }>,
): Step {
  const postponed = snapshot.postponed?.engagement;
  const doubted = (snapshot.doubted ?? []).flatMap((message) => (message.kind === 'raise' ? [message.request] : []));
  const open = new Set(
    [...snapshot.engagements, ...snapshot.waiting, ...doubted, ...(postponed ? [postponed] : [])].map(({ id }) => id),
  );
  const unknown = engagements.filter((id) => !open.has(id) && !isKnown(snapshot.ledger, id));
  const anotherLife = life !== undefined && life !== snapshot.life;
  const unjudged = judgements.filter((id) => !snapshot.judgements.some((owed) => owed.id === id));
  if (unknown.length === 0 && unjudged.length === 0 && !anotherLife) return { snapshot, effects: [] };
  const participant = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const message = {
    kind: 'unknown',
    participant,
    round,
    engagements: unknown,
    judgements: unjudged,
    anotherLife,
  } as const;
  return { snapshot, effects: [{ kind: 'tell', operation, message }] };
}
