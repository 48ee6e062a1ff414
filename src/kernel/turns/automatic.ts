import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { chainAt, lengthened } from '../rules/chain.js';
import { entityId } from '../../protocol/names.js';
import { findAction, stateOf, type Step } from '../rules/step.js';

/**
 * When the automatic action of the state is due, in milliseconds since 1970; nothing where there is none, or no attempt is
 * left.
 */
export function automaticAt(entity: AnyEntity, snapshot: Snapshot): number | undefined {
  const { stability } = stateOf(entity, snapshot);
  return stability === 'unstable' && !snapshot.exhausted ? (snapshot.nextAttemptAt ?? snapshot.enteredAt) : undefined;
}

/** Starts the automatic action. */
export function startAutomatic(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const { nextAttemptAt: _, chain, ...rest } = snapshot;
  const action = findAction(entity, snapshot.state)!.name;
  const begun = chain?.waits ? chainAt(snapshot, undefined, now) : lengthened(chain, entityId(snapshot), action);
  const started: Snapshot = {
    ...rest,
    ...(begun && { chain: begun }),
    attempt: snapshot.attempt + 1,
    running: { action, kind: 'automatic', startedAt: now },
  };
  return { snapshot: started, effects: [] };
}
