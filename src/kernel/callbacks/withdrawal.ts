/*
 * Questions that nobody waits for any more, and of which their providers are told. A3
 *
 * withdrawal.1. A question is withdrawn when it is closed without an answer, whatever has closed it, and only then.
 * withdrawal.2. What is to be withdrawn stays in the snapshot until the provider has been told. So a new run goes on with it.
 */
import type { CallbackCall, QuestionWithdrawal, WithdrawalReason } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The later snapshot, with the questions to withdraw that have been closed since the earlier one. */
export function withdrawClosed(before: Snapshot, after: Snapshot): Snapshot {
  if (!before.callbacks || before.callbacks === after.callbacks) return after;
  const closed = before.callbacks.flatMap((round): readonly QuestionWithdrawal[] => {
    const { id, call, idempotencyKey, withdrawal } = round;
    const reason = withdrawal && reasonOf(round, after);
    return reason ? [{ id, call, idempotencyKey, input: withdrawal.input, reason }] : [];
  });
  const over = after.callbacks?.some((round) => round.withdrawal && isOver(round));
  if (closed.length === 0 && !over) return after;
  return {
    ...after,
    ...(over && { callbacks: after.callbacks!.map(withoutInput) }),
    ...(closed.length > 0 && { withdrawals: [...(after.withdrawals ?? []), ...closed] }),
  };
}

/** The provider of this question has been told. withdrawal.2 */
export function withdrawn(snapshot: Snapshot, id: string): Snapshot {
  const { withdrawals = [], ...rest } = snapshot;
  const left = withdrawals.filter((each) => each.id !== id);
  return left.length > 0 ? { ...rest, withdrawals: left } : rest;
}

/** Why the question was closed; nothing where it is open, or was answered. */
function reasonOf({ id, idempotencyKey, until }: CallbackCall, after: Snapshot): WithdrawalReason | undefined {
  const now = after.callbacks?.find((each) => each.id === id);
  if (now) return now.end === 'answered' ? undefined : now.end;
  const next = after.callbacks?.find((each) => each.idempotencyKey === idempotencyKey);
  if (!next) return 'left';
  return until <= next.askedAt ? 'timed out' : 'superseded';
}

/** The input is kept only for as long as the question can be answered: without it, nothing is withdrawn. withdrawal.1 */
function withoutInput(round: CallbackCall): CallbackCall {
  const { withdrawal: _, ...rest } = round;
  return isOver(round) ? rest : round;
}

function isOver({ answer, end }: CallbackCall): boolean {
  return answer !== undefined || end !== undefined;
}
