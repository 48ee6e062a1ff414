import { Defect } from '../../definition/action-errors.js';
import { CALL_INPUT_BYTES, QUESTION_BYTES } from '../../definition/limits.js';
import { sizeProblem } from '../../protocol/size-problem.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { PlacedCall } from '../run/placed-call.js';

/** Temporal would fail the task of a call with a larger input, again and again. S1.5a @throws Defect */
export function checkInput({ call, input }: PlacedCall, { callbacks = [], withdrawals = [] }: Snapshot): void {
  const { answer, withdraw } = call.shape;
  const kept = answer === 'callback' && withdraw ? [callbacks, withdrawals, input] : undefined;
  const problem = sizeProblem(input, CALL_INPUT_BYTES) ?? (kept && sizeProblem(kept, QUESTION_BYTES));
  if (problem === undefined) return;
  const message = `The input of '${call.activity}' has ${kept ? 'with all pending calls ' : ''}${problem}. Keep large data outside of entities, and pass its address.`;
  throw new Defect('input_too_large', message);
}
