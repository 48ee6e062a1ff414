import type { ActionShape, AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { State } from '../../definition/state.js';
import type { DeploymentMessage } from '../../protocol/deployment.js';
import type { DeploymentStart } from '../../protocol/state-deployment.js';
import { underWay } from './deploying.js';
import type { Creation } from '../../protocol/creation.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { OperationStart } from '../../protocol/operation-start.js';
import type { EntityRef } from '../../protocol/names.js';
import type { StoreRecord } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** Something to carry out beyond the entity. Effects to the same target are carried out in order. */
export type Effect =
  | { readonly kind: 'open'; readonly operation: OperationStart }
  | { readonly kind: 'tell'; readonly operation: string; readonly message: OperationMessage }
  | { readonly kind: 'create'; readonly to: EntityRef; readonly creation: Creation }
  | { readonly kind: 'send'; readonly to: EntityRef; readonly message: EntityMessage }
  | { readonly kind: 'deploy'; readonly deployment: DeploymentStart }
  | { readonly kind: 'tell-deployment'; readonly id: string; readonly message: DeploymentMessage }
  | { readonly kind: 'record'; readonly record: StoreRecord };

/** The outcome of a decision: the new snapshot, and what has to be carried out. L3 */
export interface Step {
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
}

/** One step after another: the effects of both, in order. */
export function andThen(first: Step, next: (snapshot: Snapshot) => Step): Step {
  const second = next(first.snapshot);
  return { snapshot: second.snapshot, effects: [...first.effects, ...second.effects] };
}

/** The declaration of the state that the entity is in. */
export function stateOf(entity: AnyEntity, snapshot: Snapshot): State {
  const state = entity.states[snapshot.state];
  if (!state) throw new Error(`${entity.name} declares no state '${snapshot.state}', in which ${snapshot.key} is.`);
  return state;
}

/** Tells whether the entity was deleted. From then on it reads as gone, even while its run has not ended yet. S1.3 */
export function isGone(entity: AnyEntity, snapshot: Pick<Snapshot, 'state'>): boolean {
  return entity.states[snapshot.state]?.ending === 'deleted';
}

/** Tells whether the entity is at rest: nothing happens until an event comes. */
export function isAtRest(entity: AnyEntity, snapshot: Snapshot): boolean {
  if (underWay(snapshot)) return false;
  return !snapshot.running && (stateOf(entity, snapshot).stability === 'stable' || snapshot.exhausted);
}

/** The action for an event in a state, or the automatic action of the state when no event is given. */
export function findAction(
  entity: AnyEntity,
  state: string,
  event?: string,
): { readonly name: string; readonly shape: ActionShape } | undefined {
  for (const [name, shape] of Object.entries(entity.actions)) {
    if (shape.on === event && asList(shape.in).includes(state)) return { name, shape };
  }
  return undefined;
}
