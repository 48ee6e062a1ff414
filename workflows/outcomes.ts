import type { RaiseOutcome, ResourceContext } from '../src/definition/index.js';
import { SqlApplication } from './sql-application/definition.js';

/** What is said of a resource that did not do as it was asked. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Why a resource is not in the state that was asked for; nothing when it is, or has been for longer. */
export function refusalOf(outcome: RaiseOutcome, state: string): Refusal | undefined {
  if (outcome.status === 'rejected') {
    return outcome.code === 'already_done' ? undefined : { code: outcome.code, message: outcome.message };
  }
  if (outcome.error) return outcome.error;
  if (outcome.state === state) return undefined;
  return { code: 'resource_failed', message: `A resource went to ${outcome.state} instead of ${state}.` };
}

/** Fails the action, which is tried again, unless the resource is in the state that was asked for. */
export function mustBe(outcome: RaiseOutcome, state: string): void {
  const refusal = refusalOf(outcome, state);
  if (refusal) throw Object.assign(new Error(refusal.message), { code: refusal.code });
}

/** A resource that was never created, or is gone already, is as good as deleted. */
export function mustBeGone(outcome: RaiseOutcome): void {
  if (outcome.status === 'rejected' && (outcome.code === 'absent' || outcome.code === 'gone')) return;
  mustBe(outcome, 'Deleted');
}

/** Deletes instances one after the other, those that are there. */
export async function deleteApplications(app: ResourceContext, keys: readonly (string | undefined)[]): Promise<void> {
  for (const key of keys) {
    if (key === undefined) continue;
    mustBeGone(await app.raiseAndWait(SqlApplication, key, 'delete', { within: '5m' }));
  }
}

/** The key of an instance: the first has that of whom it belongs to, all others a number too. */
export function applicationKey(owner: string, generation: number): string {
  return generation === 1 ? owner : `${owner}.${generation}`;
}
