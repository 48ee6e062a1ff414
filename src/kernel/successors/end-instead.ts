import type { AnyEntity } from '../../definition/entity.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Judgement } from '../../protocol/report.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { react } from '../triggers/subscription.js';
import { owe } from '../engagements/owed-judgements.js';
import { andThen, type Step } from '../rules/step.js';

/** The end of an engagement on a successor that cannot tell it itself. */
export interface EndInstead {
  readonly engagement: string;
  readonly operation: string;
  readonly participant: EntityRef & { readonly life: string };
  readonly event: string;
  readonly outcome: EngagementOutcome;
  /** Tells whether it was rejected and nobody expected that. S3.6 */
  readonly unexpected?: boolean;
}

/**
 * Tells the operation in place of the successor, and judges the end like a report: what the judgement sets off is told with it.
 * S4.2
 */
export function endInstead(entity: AnyEntity, snapshot: Snapshot, ended: EndInstead, now: number): Step {
  const { operation, ...told } = ended;
  const judgement: Judgement = { id: `${entityId(told.participant)}!${told.engagement}`, operations: [operation] };
  const step = andThen(owe(snapshot, judgement, [told.engagement]), (after) => react(entity, after, now));
  const { type, key, life, running } = snapshot;
  const waits = running?.awaits?.some((each) => each.kind === 'event' && each.engagement === told.engagement);
  const message = {
    kind: 'ended',
    ...told,
    // The waiting action has heard of a rejection already.
    ...(waits && !told.outcome.rejection && { awaiter: { type, key, life } }),
    caused: [],
    judgements: [{ id: judgement.id, by: entityId(snapshot) }],
  } as const;
  return { snapshot: step.snapshot, effects: [{ kind: 'tell', operation, message }, ...step.effects] };
}
