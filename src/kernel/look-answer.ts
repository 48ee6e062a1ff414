import type { AnyEntity } from '../definition/entity.js';
import type { Judgement, Look } from '../protocol/messages.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { judgementId } from './judgement-id.js';
import { isKnown } from './ledger.js';
import { outcomeOf, rejectionJudgementId } from './settle.js';
import { isAtRest, type Effect } from './step.js';

/**
 * The answer to an entity that looks after this one: none while its event is under way, which it finds out by reaching
 * this one at all; a fresh report when it has missed one, or a rejection; or that it means another entity. S4.4
 */
export function answerLook(entity: AnyEntity, snapshot: Snapshot, look: Look): readonly Effect[] {
  const { from, request } = look;
  const self = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const to = { type: from.type, key: from.key };
  const entry = snapshot.ledger.recent.find(({ id }) => id === request);
  const open = [...snapshot.engagements, ...snapshot.waiting].some(({ id }) => id === request);
  // An earlier life that knew it was another entity.
  const ours = open || (entry?.life === undefined && isKnown(snapshot.ledger, request));
  if (!ours && look.life !== snapshot.life) {
    return [{ kind: 'send', to, message: { kind: 'stranger', from: self, toLife: from.life, request } }];
  }
  const missedOne = look.version === undefined || snapshot.version > look.version;
  const ended = entry?.outcome;
  const rejected = ended?.rejection !== undefined;
  if (open || !(rejected || (missedOne && isAtRest(entity, snapshot)))) return [];
  // The operation may still wait for what this watcher makes of the report that was lost.
  const judgement: Judgement | undefined =
    from.judges && entry && ended
      ? {
          id: rejected ? rejectionJudgementId(snapshot, request) : judgementId(snapshot, ended.version, from),
          operations: [entry.operation],
        }
      : undefined;
  return [
    {
      kind: 'send',
      to,
      message: {
        kind: 'report',
        from: self,
        toLife: from.life,
        version: snapshot.version,
        outcome: rejected || ended?.version === snapshot.version ? ended : outcomeOf(entity, snapshot),
        ended: [request],
        ...(judgement && { judgement }),
      },
    },
  ];
}
