/*
 * What the calls of an action asked for that were answered, as long as their keys may be used again. S3.4
 *
 * answered-calls.1. A key that was answered stands for one input, in all attempts. A resource that honours keys would not do
 *     something else under it, and the action would take the old answer for the new one.
 * answered-calls.2. Only so many are remembered: those that came first, since they are what another attempt repeats first.
 */
import { Defect } from '../../definition/action-errors.js';
import { entityId } from '../../protocol/names.js';
import type { AnsweredInputs, Snapshot } from '../../protocol/snapshot.js';
import { contentFingerprint, idFingerprint } from './fingerprint.js';

/** How many inputs are remembered. answered-calls.2 */
const REMEMBERED = 256;

/** The code of such an error. No other attempt can mend it, but an operator's retry has new keys. */
export const KEY_REUSED = 'key_reused';

interface KeyedCall {
  readonly call: { readonly activity: string };
  readonly input: unknown;
  readonly idempotencyKey: string;
}

/** The fingerprint of what a call asks for, as it is now. */
export function inputFingerprint({ call, input }: KeyedCall): string {
  return contentFingerprint({ event: call.activity, params: input });
}

/** @throws Defect where an earlier attempt was answered to another input. answered-calls.1 */
export function refuseOtherInput(snapshot: Snapshot, { call, idempotencyKey }: KeyedCall, input: string): void {
  const before = snapshot.answered?.[idFingerprint(idempotencyKey)];
  if (before === undefined || before === input) return;
  const problem =
    `The action '${snapshot.running?.action}' of ${entityId(snapshot)} calls ${call.activity} under the key ${idempotencyKey}, ` +
    'which an earlier attempt has used for another input, and was answered';
  const remedy =
    'Going to its own state, or failing, is another attempt of the same work, with the same keys. For the next piece of work, end the ' +
    "action by nextRound(). To ask the same in each attempt, take the input from what the entity holds. An operator's retry runs the " +
    'action under new keys';
  throw new Defect(KEY_REUSED, `${problem}. ${remedy}`);
}

/** A call of the running action was answered. */
export function noteAnswered(snapshot: Snapshot, idempotencyKey: string, input: string): Snapshot {
  const { running } = snapshot;
  if (!running) return snapshot;
  const { answered = {} } = running;
  if (Object.keys(answered).length >= REMEMBERED) return snapshot;
  return {
    ...snapshot,
    running: { ...running, answered: { ...answered, [idFingerprint(idempotencyKey)]: input } },
  };
}

/** What is remembered when the running action ends and may run again under the same keys. */
export function keptAnswers({ answered, running }: Snapshot): { readonly answered?: AnsweredInputs } {
  if (!answered && !running?.answered) return {};
  const all = Object.entries({ ...answered, ...running?.answered });
  return { answered: Object.fromEntries(all.slice(0, REMEMBERED)) };
}

/** The snapshot from which whatever the automatic action does has new names, in the same state. */
export function withNewKeys(snapshot: Snapshot): Snapshot {
  const { answered: _answered, callbacks: _callbacks, rejectedRaises: _rejected, ...rest } = snapshot;
  return { ...rest, entry: snapshot.entry + 1 };
}
