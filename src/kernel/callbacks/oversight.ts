/*
 * All that an operator does about an answer that is awaited from outside: its time is put off, or nobody waits for it any more. A1, A2
 *
 * oversight.1. The time of a question or address is only ever put off, never brought forward. The address in the hands of those
 *     outside stays the same.
 * oversight.2. To do the same again changes nothing, and is no mistake.
 */
import { z } from 'zod';
import { makeShareable } from '../../definition/shareable.js';
import type { Answer } from '../../protocol/answer.js';
import { LATEST_UNTIL, type CallbackCall, type CallbackRound } from '../../protocol/callback.js';
import { entityId, EXTEND_EVENT } from '../../protocol/names.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { issuesOf } from '../../protocol/schema-problems.js';
import type { Step } from '../rules/step.js';

const extension = z.strictObject({ callback: z.string(), until: z.number().int().nonnegative().max(LATEST_UNTIL) });
const revocation = z.strictObject({ callback: z.string() });
for (const schema of [extension, revocation]) makeShareable(schema);

/** Why what an operator asks for is refused, or `undefined`. */
export function refuseOversight(snapshot: Snapshot, request: RaiseRequest): Rejection | undefined {
  const asked = parse(request);
  if (!asked.success) {
    const issues = issuesOf(asked.error);
    return refusal(
      'invalid_parameters',
      'Name the pending callback by its id, as the list of pending callbacks shows it.',
      issues,
    );
  }
  const awaited = find(snapshot, asked.data.callback);
  if (!awaited) return refusal('callback_closed', `${entityId(snapshot)} no longer waits for this answer.`);
  const { until } = asked.data as Partial<z.output<typeof extension>>;
  if (until === undefined || until >= awaited.until) return undefined;
  const problem = `It is pending until ${new Date(awaited.until).toISOString()}. You can only set a later time.`;
  return refusal('invalid_parameters', problem, [{ path: 'until', message: 'is sooner' }]);

  function refusal(code: string, message: string, issues?: Rejection['issues']): Rejection {
    const { state } = snapshot;
    return { code, message, entity: entityId(snapshot), event: request.event, state, ...(issues && { issues }) };
  }
}

/** Does what an operator asks for, at any time: also while the action runs that waits for the answer. */
export function admitOversight(snapshot: Snapshot, request: RaiseRequest): Step & { readonly answer: Answer } {
  const rejection = refuseOversight(snapshot, request);
  if (rejection) return { snapshot, effects: [], answer: { status: 'rejected', rejection } };
  const { callback: id, until } = parse(request).data as Partial<z.output<typeof extension>>;
  const { engagements, operation: last } = snapshot;
  const operation = engagements.at(-1)?.operation ?? last?.id ?? request.id;
  const after = until === undefined ? revoke(snapshot, id!) : extend(snapshot, id!, until);
  return { snapshot: after, effects: [], answer: { status: 'accepted', operation } };
}

function parse({ event, params }: RaiseRequest) {
  return event === EXTEND_EVENT ? extension.safeParse(params) : revocation.safeParse(params);
}

/** Finds what can still be answered, or has just been given up. oversight.2 */
function find({ callbacks = [], addresses = [] }: Snapshot, id: string): CallbackRound | undefined {
  const mayBe = ({ answer, end }: CallbackCall) => !answer && (!end || end === 'revoked');
  return [...callbacks.filter(mayBe), ...addresses].find((each) => each.id === id);
}

function extend(snapshot: Snapshot, id: string, until: number): Snapshot {
  const { callbacks, addresses, running } = snapshot;
  const later = <R extends CallbackRound>(each: R): R => (each.id === id ? { ...each, until } : each);
  const awaits = running?.awaits?.map((each) => (each.wait === id ? { ...each, until } : each));
  return {
    ...snapshot,
    ...(callbacks && { callbacks: callbacks.map(later) }),
    ...(addresses && { addresses: addresses.map(later) }),
    ...(running && awaits && { running: { ...running, awaits } }),
  };
}

function revoke({ addresses = [], ...snapshot }: Snapshot, id: string): Snapshot {
  const others = addresses.filter((each) => each.id !== id);
  const closed = (each: CallbackCall): CallbackCall => (each.id === id ? { ...each, end: 'revoked' } : each);
  return {
    ...snapshot,
    ...(snapshot.callbacks && { callbacks: snapshot.callbacks.map(closed) }),
    ...(others.length > 0 && { addresses: others }),
  };
}
