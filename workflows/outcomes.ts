import type { RaiseOutcome, ResourceContext } from '../src/definition/index.js';
import { SqlApplication } from './sql-application/definition.js';

/** Why a resource did not do what it was asked. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Why a resource is not in the state that was asked for. Gives `undefined` when it is, also when it has been for longer. */
export function refusalOf(outcome: RaiseOutcome, state: string): Refusal | undefined {
  if (outcome.status === 'rejected') {
    return outcome.code === 'already_done' ? undefined : { code: outcome.code, message: outcome.message };
  }
  if (outcome.error) return outcome.error;
  if (outcome.state === state) return undefined;
  return { code: 'resource_failed', message: `A resource went to ${outcome.state} instead of ${state}.` };
}

/** Fails the action, which is then tried again, unless the resource is in the state that was asked for. */
export function mustBe(outcome: RaiseOutcome, state: string): void {
  const refusal = refusalOf(outcome, state);
  if (refusal) throw Object.assign(new Error(refusal.message), { code: refusal.code });
}

/** Fails the action unless the resource is gone. One that was never created, or has gone already, is as good as deleted. */
export function mustBeGone(outcome: RaiseOutcome): void {
  if (outcome.status === 'rejected' && (outcome.code === 'absent' || outcome.code === 'gone')) return;
  mustBe(outcome, 'Deleted');
}

/** Deletes the instances that exist, one after the other. */
export async function deleteApplications(app: ResourceContext, keys: readonly (string | undefined)[]): Promise<void> {
  for (const key of keys) {
    if (key === undefined) continue;
    mustBeGone(await app.raiseAndWait(SqlApplication, key, 'delete', { within: '5m' }));
  }
}

/** The key of an instance. The first one has the key of its owner, and all others also have a number. */
export function applicationKey(owner: string, generation: number): string {
  return generation === 1 ? owner : `${owner}.${generation}`;
}
