import { toMilliseconds } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Chain } from '../../protocol/chain.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, RETRY_EVENT } from '../../protocol/names.js';
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { KEY_REUSED, withNewNames } from '../ledger/stable-names.js';
import { chainAt, lengthened } from '../rules/chain.js';
import { isUnexpected } from '../rules/expected-rejection.js';
import { interrupt } from './interrupt.js';
import { fingerprintOf, remember } from '../ledger/ledger.js';
import { recordStart } from './records.js';
import { useReservation } from '../rules/reserved.js';
import { countStart, inStartOrder } from './start-order.js';
import type { Step } from '../rules/step.js';
import { wasInError } from './was-in-error.js';
import { watchedBy } from './watchers.js';

/** The action that an accepted event starts, and how the event came. */
export interface Beginning {
  readonly action: string;
  readonly params: unknown;
  readonly eventType: Engagement['eventType'];
  readonly subscription?: string;
  readonly timer?: string;
  readonly deployment?: string;
  /** Is true where it is the event of a timer that needed no time. chain.1 */
  readonly atOnce?: boolean;
  /** Tells whether the operation has a workflow already. */
  readonly opened?: boolean;
}

/** Starts the action of an event that is valid. */
export function begin(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  beginning: Beginning,
  now: number,
): Step {
  const operation = request.operation ?? request.id;
  const { from } = request;
  const opened = beginning.opened ?? request.operation !== undefined;
  const { budget, stays = false } = entity.events[request.event] ?? {};
  // An operator's retry runs the automatic action again, and its attempts begin anew. S3.5
  const again = request.event === RETRY_EVENT;
  const interrupted = interrupt(entity, snapshot, request, now);
  const reserved = useReservation(interrupted.snapshot, request);
  const before = again && reserved.lastError?.code === KEY_REUSED ? withNewNames(reserved) : reserved;
  // Only requests from others are remembered: nobody can repeat what the entity raises on itself.
  const ledger = beginning.eventType === 'raised' ? remember(before.ledger, request) : before.ledger;
  const fingerprint = fingerprintOf(ledger, request.id);
  const engagement: Engagement = {
    id: request.id,
    event: request.event,
    eventType: beginning.eventType,
    operation,
    opened,
    ...(!opened && request.holdMs !== undefined && { holdMs: request.holdMs }),
    position: positionOf(snapshot, request, operation),
    startState: snapshot.state,
    startVersion: snapshot.version,
    startedAt: now,
    ...inStartOrder(before, now),
    transitions: 0,
    ...(beginning.eventType === 'timer' && !isUnderWay(snapshot, operation) && { uncaused: true }),
    caused: [],
    ...(request.awaited && from && { awaiter: { type: from.type, key: from.key, life: from.life } }),
    ...(isUnexpected(request) && { unexpected: true }),
    ...(budget !== undefined && { budgetMs: toMilliseconds(budget) }),
    ...(wasInError(entity, snapshot, { operation, event: request.event, action: beginning.action }) && {
      wasInError: true,
    }),
    // An operator resumes what had failed. S5.1
    ...(again && { restarts: 1 }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
  const { running: _running, chain: _chain, failedBy, wentRoundAt, ...rest } = before;
  const fromOutside = beginning.eventType === 'raised' && !from;
  const chain = fromOutside ? undefined : chainOf(before, request, beginning, now);
  const begun: Snapshot = {
    // The new member comes before the spread: a member that a copy has beyond the original costs more (ledger.ts).
    running: {
      action: beginning.action,
      // An action that went round may be an event's.
      kind: again && entity.actions[beginning.action]?.on === undefined ? 'automatic' : 'event',
      startedAt: now,
      ...(beginning.params !== undefined && { params: beginning.params }),
      ...(beginning.subscription !== undefined && { subscription: beginning.subscription }),
      ...(beginning.timer !== undefined && { timer: beginning.timer }),
      ...(beginning.deployment !== undefined && { deployment: beginning.deployment }),
      ...(interrupted.replaces.length > 0 && { replaces: interrupted.replaces }),
    },
    ...rest,
    ...(chain && { chain }),
    ...(wentRoundAt !== undefined && !fromOutside && { wentRoundAt }),
    exhausted: (stays || beginning.eventType === 'timer') && before.exhausted,
    operation: { id: operation, open: true, position: engagement.position },
    engagements: [...withCause(before.engagements, engagement, entityId(snapshot)), engagement],
    ...countStart(before, now),
    watchers: watchedBy(before, from, operation),
    ...(failedBy && !again && { failedBy }),
    ...(again && { attempt: 1 }),
    ledger,
  };
  return { snapshot: begun, effects: [...interrupted.effects, recordStart(entity, begun, engagement)] };
}

/** The chain of which the action is a part; nothing where it begins one. chain.1 */
function chainOf(
  snapshot: Snapshot,
  { chain }: RaiseRequest,
  { eventType, action, atOnce = false }: Beginning,
  now: number,
): Chain | undefined {
  if (eventType === 'timer' && !atOnce) return chainAt(snapshot, undefined, now);
  const before = eventType === 'raised' ? chainAt(snapshot, chain, now) : snapshot.chain;
  return lengthened(before, entityId(snapshot), action);
}

/** Where the entity stands in the tree of an operation. */
function positionOf(snapshot: Snapshot, request: RaiseRequest, operation: string): string {
  if (request.position !== undefined) return request.position;
  if (snapshot.operation?.id === operation) return snapshot.operation.position;
  return request.operation === undefined || request.id === operation ? '1' : '0';
}

function isUnderWay({ engagements }: Snapshot, operation: string): boolean {
  return engagements.some((each) => each.operation === operation);
}

/**
 * The engagement under way in the same operation causes what the entity raises on itself. It must be named as the cause, so that the
 * operation does not end in between. S4.2
 */
function withCause(open: readonly Engagement[], begun: Engagement, on: string): readonly Engagement[] {
  const cause =
    begun.eventType === 'raised' ? -1 : open.findLastIndex(({ operation }) => operation === begun.operation);
  return open.map((each, index) =>
    index === cause ? { ...each, caused: [...each.caused, { engagement: begun.id, on, event: begun.event }] } : each,
  );
}
