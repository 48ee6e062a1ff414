/*
 * An action that closed a circle of waiting with its reservations is postponed, and runs again. S3.6, S3.8
 *
 * postpone.1. Until it runs again, the entity can be reserved, so that others get on. Only what they set off happens here.
 * postpone.2. The delays grow, and differ within a circle, so that one action is first. After some executions the action fails
 *     instead.
 * postpone.3. Where the owner of a reservation has moved the entity meanwhile, the event is validated anew.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Watcher } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { keptNames } from '../ledger/stable-names.js';
import { decide } from '../rules/decide.js';
import { recordOutcome } from '../ledger/ledger.js';
import { endRejected, rejectedOutcome } from '../engagements/settle.js';
import type { Step } from '../rules/step.js';

const MOST_RESTARTS = 5;
/**
 * The delay of the first action of a circle, in milliseconds. The others follow at distances that are longer than messages
 * take.
 */
const FIRST_DELAY_MS = 100;
const DISTANCE_MS = 1_000;

/** Tells whether an action may run again. postpone.2 */
export function mayRestart({ running }: Snapshot): boolean {
  return (running?.restarts ?? 0) < MOST_RESTARTS;
}

/** Postpones the running action: nothing of it takes effect. */
export function postpone(snapshot: Snapshot, circle: readonly string[], now: number): Step {
  const { running, engagements, ...rest } = snapshot;
  const {
    awaits: _awaits,
    holds: _holds,
    seals: _seals,
    journal: _journal,
    calls: _calls,
    asked: _asked,
    restarts = 0,
    ...action
  } = running!;
  const rank = [...circle].sort().indexOf(entityId(snapshot));
  const at = now + (FIRST_DELAY_MS + DISTANCE_MS * rank) * 2 ** restarts;
  const engagement = action.kind === 'event' ? engagements.at(-1) : undefined;
  const postponed = {
    running: { ...action, restarts: restarts + 1 },
    at,
    entry: snapshot.entry,
    ...(engagement && { engagement }),
  };
  const others = engagement ? engagements.slice(0, -1) : engagements;
  return { snapshot: { ...rest, ...keptNames(snapshot), engagements: others, postponed }, effects: [] };
}

/** Runs the action again, or the action that the event has in the present state. postpone.3 */
export function resume(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const { postponed, chain: _, ...rest } = snapshot;
  const { running, engagement, entry } = postponed!;
  const again = { ...running, startedAt: now };
  if (!engagement) return { snapshot: entry === rest.entry ? { ...rest, running: again } : rest, effects: [] };
  const { id, event, operation, position, unexpected = false } = engagement;
  const engaged: Snapshot = {
    ...rest,
    engagements: [...rest.engagements, engagement],
    operation: { id: operation, open: true, position },
  };
  if (entry === rest.entry) return { snapshot: { ...engaged, running: again }, effects: [] };
  const decision = decide(entity, rest, { event, params: running.params });
  if (decision.accepted) {
    return { snapshot: { ...engaged, running: { ...again, action: decision.action } }, effects: [] };
  }
  const raisers: readonly (Watcher | undefined)[] = rest.watchers.length > 0 ? rest.watchers : [undefined];
  const effects = raisers.flatMap((from) =>
    endRejected(
      entity,
      rest,
      { id, event, operation, position, ...(from && { from }) },
      decision.rejection,
      now,
      unexpected,
    ),
  );
  const ledger = recordOutcome(rest.ledger, engagement, rejectedOutcome(rest, decision.rejection));
  return { snapshot: { ...rest, ledger }, effects };
}
