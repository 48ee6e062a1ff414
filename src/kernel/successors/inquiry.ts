import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { followedElsewhere } from '../engagements/repeat.js';
import type { Effect, Step } from '../rules/step.js';

/**
 * Answers an operation that has heard nothing for long: it is told what it waits for in vain, and the outcome of events that
 * needed no operation here. That happens when an earlier life had opened an operation for the same request, and was ended by
 * hand. Where another operation follows an event, it need not wait for that. S4.4
 */
export function answerInquiry(
  snapshot: Snapshot,
  { operation, round, engagements, judgements, life }: Extract<EntityMessage, { kind: 'inquiry' }>,
): Step {
  const postponed = snapshot.postponed?.engagement;
  const doubted = (snapshot.doubted ?? []).flatMap((message) => (message.kind === 'raise' ? [message.request] : []));
  const open = new Set(
    [...snapshot.engagements, ...snapshot.waiting, ...doubted, ...(postponed ? [postponed] : [])].map(({ id }) => id),
  );
  // A request of which only the fingerprint is left has no outcome to tell.
  const remembered = new Set(snapshot.ledger.recent.map(({ id }) => id));
  const unknown = engagements.filter((id) => !open.has(id) && !remembered.has(id));
  const anotherLife = life !== undefined && life !== snapshot.life;
  const unjudged = judgements.filter((id) => !snapshot.judgements.some((owed) => owed.id === id));
  const participant = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const asked = snapshot.ledger.recent.filter(({ id }) => engagements.includes(id));
  const told = asked.flatMap(({ id, event, outcome, operation: by, followed }): readonly Effect[] => {
    if (by !== operation) return followedElsewhere(participant, { id, operation }, by);
    // A rejection has been told already.
    if (!outcome || outcome.rejection || followed || open.has(id)) return [];
    const ended = { kind: 'ended', engagement: id, participant, event, outcome, caused: [], judgements: [] } as const;
    return [{ kind: 'tell', operation, message: ended }];
  });
  if (unknown.length === 0 && unjudged.length === 0 && !anotherLife) return { snapshot, effects: told };
  const message = {
    kind: 'unknown',
    participant,
    round,
    engagements: unknown,
    judgements: unjudged,
    anotherLife,
  } as const;
  return { snapshot, effects: [...told, { kind: 'tell', operation, message }] };
}
