import type { Creation } from '../../protocol/creation.js';
import type { RaiseRequest, Watcher } from '../../protocol/request.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { heldOn } from '../reservations/holding.js';
import type { Interest } from './interest.js';
import { toldChain } from '../rules/chain.js';
import type { Effect, Step } from '../rules/step.js';
import type { LinkTarget } from '../rules/link-target.js';

/** An event that an action raises on another entity. It makes that entity a successor. S3.3 */
export interface RaiseIntent extends Interest {
  readonly to: EntityRef;
  /** The entity is created by the event, if it does not exist yet. */
  readonly creates: boolean;
  readonly request: Pick<RaiseRequest, 'id' | 'event' | 'params' | 'construct' | 'awaited' | 'mayBeRejected'>;
  readonly role?: string;
  /** The targets of its links that have to exist if it is created. */
  readonly targets?: readonly LinkTarget[];
}

/**
 * Sends the events on their way and remembers the successors, as part of the latest engagement. What it has caused already, in
 * an earlier attempt, is not noted again.
 */
export function raiseOn(snapshot: Snapshot, intents: readonly RaiseIntent[]): Step {
  const engagement = snapshot.engagements.at(-1)!;
  const { operation, position } = engagement;
  const successors = new Map(snapshot.successors.map((each) => [entityId(each), each]));
  let places = snapshot.successors.filter((each) => each.operation === operation).length;
  const effects: Effect[] = [];
  for (const intent of intents) {
    const { to, creates, request, role } = intent;
    const id = entityId(to);
    const known = successors.get(id);
    // The place in the tree of the operation that it has already, or the next one below the entity's own.
    const place = known?.operation === operation ? known.position : `${position}.${++places}`;
    const event: RaiseRequest = { ...requestOf(snapshot, intent), position: place };
    const creation: Creation = { kind: 'create', key: to.key, request: event };
    effects.push(
      creates
        ? { kind: 'create', to, creation }
        : { kind: 'send', to, message: { kind: 'raise', key: to.key, request: event } },
    );
    // The one that was raised on last comes last.
    successors.delete(id);
    successors.set(id, raisedOn(known, to, { operation, position: place, request: request.id, role, creates }));
  }
  const noted = new Set(engagement.caused.map((cause) => cause.engagement));
  const causes = intents
    .map(({ request, to }) => ({ engagement: request.id, on: entityId(to), event: request.event }))
    .filter((cause) => !noted.has(cause.engagement));
  const caused = [...engagement.caused, ...causes];
  const engagements = [...snapshot.engagements.slice(0, -1), { ...engagement, caused }];
  // The looks start anew, for the new successors too.
  const { look: _, ...rest } = snapshot;
  return { snapshot: { ...rest, successors: [...successors.values()], engagements }, effects };
}

/** An event as it is raised, without its place in the operation. */
export function requestOf(snapshot: Snapshot, intent: RaiseIntent): RaiseRequest {
  const { type, key, life, tenant } = snapshot;
  const { to, request, judges, follows, lasting } = intent;
  const from: Watcher = { type, key, life, judges, ...(follows && { follows }), ...(lasting && { lasting }) };
  const held = heldOn(snapshot, to);
  return {
    ...request,
    operation: snapshot.engagements.at(-1)!.operation,
    from,
    ...toldChain(snapshot),
    ...(held && { fence: { life: held.on.life, fence: held.on.fence } }),
    ...(tenant !== undefined && { tenant }),
  };
}

function raisedOn(
  known: Successor | undefined,
  to: EntityRef,
  raised: { operation: string; position: string; request: string; role: string | undefined; creates: boolean },
): Successor {
  // An entity that is created anew is another successor, unless it is created by the same request as before. So is one that was absent.
  const isSame = !raised.creates || known?.request === raised.request;
  const same = known?.outcome?.rejection?.code !== 'absent' && isSame ? known : undefined;
  const role = raised.role ?? known?.role;
  return {
    type: to.type,
    key: to.key,
    ...(role !== undefined && { role }),
    operation: raised.operation,
    position: raised.position,
    request: raised.request,
    event: 'pending',
    version: same?.version ?? 0,
    ...(same?.life !== undefined && { life: same.life }),
    ...(same?.outcome && { outcome: same.outcome }),
    ...(known?.ended !== undefined && { ended: known.ended }),
  };
}
