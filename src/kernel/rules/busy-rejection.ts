import { displayEvent, displayState } from '../../definition/display-name.js';
import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { busyAnswer } from './busy.js';
import { currentOperation, isOutside } from './decide.js';
import { validNow } from './valid-now.js';

/** The rejection of an event because an action runs; nothing where it is not rejected for that. busy.2 */
export function busyRejection(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: Parameters<typeof busyAnswer>[2] & Parameters<typeof isOutside>[0],
): Rejection | undefined {
  const busy = busyAnswer(entity, snapshot, request);
  if (!busy) return undefined;
  const { answer, running } = busy;
  const { code, message } = answer === 'reject' ? { code: 'already_in_progress', message: undefined } : answer;
  const operation = snapshot.running
    ? currentOperation(snapshot)
    : (snapshot.postponed?.engagement?.operation ?? currentOperation(snapshot));
  const valid = validNow(entity, snapshot, isOutside(request));
  const said =
    message?.replace(/\.?$/, '.') ?? `'${displayEvent(entity, request.event)}' is rejected while an action runs.`;
  const within = operation === undefined ? '' : ` in operation ${operation}`;
  const standing = `${entityId(snapshot)} is ${displayState(entity, snapshot.state)} and runs '${running.action}'${within}.`;
  const remedy = `Valid now: ${valid.map((each) => displayEvent(entity, each)).join(', ') || 'nothing'}.`;
  return {
    code,
    message: `${said} ${standing} ${remedy}`,
    entity: entityId(snapshot),
    event: request.event,
    state: snapshot.state,
    validNow: [...valid],
    action: running.action,
    ...(operation !== undefined && { operation }),
  };
}
