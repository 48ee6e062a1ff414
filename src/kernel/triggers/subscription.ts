/*
 * When a subscription raises its event. S4.3
 *
 * subscription.1. It fires when its event is valid and its pattern has appeared, because a successor has changed or the state
 *     was entered.
 * subscription.2. A match is used up when its event is accepted; it arises anew when the pattern appears again or the state is
 *     entered again.
 * subscription.3. A report is confirmed to the operations only after it has been judged, together with what the judgement set
 *     off. S4.2
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { begin } from '../engagements/begin.js';
import { unchained } from '../rules/chain.js';
import { dueSubscription } from '../rules/due-subscription.js';
import { openOperations } from '../engagements/open.js';
import { tellOf } from '../engagements/owed-judgements.js';
import { isHeldBack, isLeaseOver } from '../rules/reserved.js';
import { andThen, type Effect, type Step } from '../rules/step.js';

/**
 * Looks at the subscriptions after a change: lets the due one begin, and confirms the reports that have been judged. Does
 * nothing while an action runs, a reservation holds the entity back or a long run ends; it is called again after that.
 */
export function react(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  if (snapshot.running || snapshot.rollingOver || isHeldBack(snapshot) || isLeaseOver(snapshot, now))
    return { snapshot, effects: [] };
  const rearmed = forgetPast(snapshot, now);
  const due = dueSubscription(entity, rearmed);
  const confirmed = confirmJudgements(rearmed, due?.request);
  const judged: Snapshot = { ...rearmed, judgements: [] };
  if (!due) return { snapshot: judged, effects: confirmed };

  const { request, name, action, params } = due;
  const started = { action, params, eventType: 'subscription', subscription: name } as const;
  const begun = begin(entity, { ...judged, used: [...judged.used, name] }, request, started, now);
  const opened = andThen(begun, (each) => openOperations(entity, each));
  return { snapshot: opened.snapshot, effects: [...opened.effects, ...confirmed] };
}

/**
 * Lets a match whose action failed count anew, but only after a delay, even if the pattern has gone and come back meanwhile: an
 * action that makes its own pattern go and come back would fail again and again without a pause.
 */
function forgetPast(snapshot: Snapshot, now: number): Snapshot {
  const { rearm } = snapshot;
  if (rearm?.at === undefined || rearm.at > now) return snapshot;
  return { ...unchained(snapshot, now), used: [], rearm: { failures: rearm.failures } };
}

function confirmJudgements(snapshot: Snapshot, begun: RaiseRequest | undefined): readonly Effect[] {
  return tellOf(snapshot.judgements, (judgements, operation) => ({
    kind: 'judged',
    judgements,
    caused:
      begun?.operation === operation ? [{ engagement: begun.id, on: entityId(snapshot), event: begun.event }] : [],
  }));
}
