import type { AnyEntity } from '../../definition/entity.js';
import type { RecordedWait } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { stateOf } from '../rules/step.js';
import { explainEntity } from './explain.js';
import type { ActionAwait, Wait } from './wait.js';

/** How many waits are told: the most important ones. */
const TOLD = 100;

/** Lists what an entity waits for, as the store and the feed tell it. A6 */
export function recordedWaits(entity: AnyEntity, snapshot: Snapshot): readonly RecordedWait[] {
  if (!mayWait(entity, snapshot)) return [];
  return explainEntity(entity, snapshot)
    .flatMap((wait) => recorded(wait, snapshot))
    .slice(0, TOLD);
}

/** Tells whether it may wait for anything. This is asked after every task, so most entities are told apart by a glance. */
function mayWait(entity: AnyEntity, snapshot: Snapshot): boolean {
  const { running, addresses, nextAttemptAt } = snapshot;
  if (running) return running.awaits !== undefined || addresses !== undefined;
  const { waiting, deadline } = stateOf(entity, snapshot);
  const limited = Object.values(entity.limits ?? {}).some((limit) => limit.in.includes(snapshot.state));
  const atTime = nextAttemptAt !== undefined || deadline !== undefined || limited;
  return waiting === true || atTime || addresses !== undefined;
}

function recorded(wait: Wait, { enteredAt, attempt }: Snapshot): readonly RecordedWait[] {
  switch (wait.kind) {
    case 'action':
      return wait.awaits.flatMap(awaited);
    case 'answer':
      return [{ kind: 'answer', on: wait.event, since: wait.since }];
    case 'callback':
      return [{ kind: 'address', on: wait.event, since: wait.since, until: wait.until }];
    case 'subscription':
      return [{ kind: 'successors', on: wait.pattern, since: enteredAt }];
    case 'attempt':
      // That an action is tried again shows in its transition.
      return attempt === 0 ? [{ kind: 'attempt', on: wait.action, since: enteredAt, until: wait.at }] : [];
    case 'timer':
      // A timer that comes again and again is no end of a wait.
      return wait.period === undefined && !wait.calendar
        ? [{ kind: 'timer', on: wait.event, since: enteredAt, until: wait.at }]
        : [];
    default:
      return [];
  }
}

function awaited({ kind, on, event, since, until }: ActionAwait): readonly RecordedWait[] {
  // How another entity is, and whether it admits an event, is told in a moment.
  if (kind === 'view' || kind === 'seal') return [];
  const what = { on, ...(event !== undefined && { event }), ...(since !== undefined && { since }), until };
  return [{ kind, ...what }];
}
