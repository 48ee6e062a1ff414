import { toMilliseconds } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { OperationStart } from '../../protocol/operation-start.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { dimensionsOfEvent } from '../rules/dimensions.js';
import { entityId } from '../../protocol/names.js';
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { countStart, inStartOrder } from './start-order.js';
import type { Step } from '../rules/step.js';

/** Gives the operation that an event opens a workflow of its own. */
export function openOperation(
  entity: AnyEntity,
  snapshot: Snapshot,
  { id, event }: Pick<RaiseRequest, 'id' | 'event'>,
  startedAt: number,
): Step {
  const budget = entity.events[event]?.budget;
  const budgetMs = budget === undefined ? undefined : toMilliseconds(budget);
  const order = inStartOrder(snapshot, startedAt);
  const operation = startOf(entity, snapshot, { id, event, startedAt, ...order, budgetMs });
  return { snapshot: { ...snapshot, ...countStart(snapshot, startedAt) }, effects: [{ kind: 'open', operation }] };
}

function startOf(
  entity: AnyEntity,
  snapshot: Snapshot,
  opens: Pick<Engagement, 'id' | 'event' | 'startedAt' | 'startOrder' | 'dimensions'> & {
    readonly budgetMs?: number | undefined;
  },
): OperationStart {
  const { type, key } = snapshot;
  const { id, event, startedAt, startOrder, budgetMs } = opens;
  return {
    kind: 'start',
    id,
    name: `${event} ${entityId({ type, key })}`,
    root: { type, key, engagement: id, event },
    dimensions: dimensionsOfEvent(entity, snapshot, opens),
    startedAt,
    ...(startOrder !== undefined && { startOrder }),
    ...(budgetMs !== undefined && { budgetMs }),
  };
}

/** Most calls have answered after this time, in milliseconds. Temporal's timers tick by the second. */
const GRACE_MS = 1_000;

/**
 * Until when the operations without a workflow need none, in milliseconds since 1970; nothing where all have one. Where an
 * event settles before that time, the entity alone tells its result, though the event has outlasted its task.
 */
export function unopenedUntil({ engagements }: Snapshot): number | undefined {
  const ends = engagements.flatMap(({ opened, startedAt, holdMs }) =>
    opened ? [] : [startedAt + (holdMs ?? GRACE_MS)],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Tells whether an event is under way and its operation has no workflow yet. */
export function isUnopened({ engagements }: Snapshot, id: string): boolean {
  return engagements.some((each) => each.id === id && !each.opened);
}

/**
 * Opens the operations of all engagements that have none yet: from now on the entity does something that outlasts the
 * task which admitted them, or that others take part in.
 */
export function openOperations(entity: AnyEntity, snapshot: Snapshot): Step {
  const unopened = snapshot.engagements.filter(({ opened }) => !opened);
  if (unopened.length === 0) return { snapshot, effects: [] };
  return {
    snapshot: { ...snapshot, engagements: snapshot.engagements.map((each) => ({ ...each, opened: true })) },
    effects: unopened.map((each) => ({ kind: 'open', operation: startOf(entity, snapshot, each) })),
  };
}
