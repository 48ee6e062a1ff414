/*
 * Tells whether an event is valid now: a pure function of declaration and snapshot. The entity decides with it. The client asks it
 * before it creates anything, and a user interface to know which buttons to show.
 *
 * decide.1. An event that is not valid in the state, or whose guard does not hold, is rejected with what the declaration says for
 *     that. S2.2
 * decide.2. A rejection changes nothing. S2.2
 * decide.3. An event that was raised for one version of an entity is rejected in any other version. S6.1
 * decide.4. permission.ts has decided before whether the caller may raise it at all. S6.5
 */
import { CREATED } from '../../definition/created.js';
import type { AnyEntity, EventShape } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { Guard } from '../../definition/guard.js';
import { didYouMean } from '../../definition/did-you-mean.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, RETRY_EVENT } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { displayEvent, displayState } from '../../definition/display-name.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import { refuseRound } from './chain.js';
import { give } from '../../protocol/carried.js';
import { guardAnswer, unmetGuard } from './event-guard.js';
import { findAction } from './step.js';
import { validNow } from './valid-now.js';

/** The action that an accepted event starts, with its checked parameters as they are stored. */
export interface Admission {
  readonly accepted: true;
  readonly action: string;
  readonly params: unknown;
}

export interface Refusal {
  readonly accepted: false;
  readonly rejection: Rejection;
}

/** Decides an event that was raised. One that comes neither from an entity nor from an operation comes from outside. S2.1 */
export function decideRaised(entity: AnyEntity, snapshot: Snapshot, request: Raised): Admission | Refusal {
  const { event, params } = request;
  if (isOutdated(snapshot, request)) return { accepted: false, rejection: versionConflict(entity, snapshot, request) };
  if (isTooLate(snapshot, request)) return { accepted: false, rejection: addressClosed(entity, snapshot, request) };
  const decision = decide(entity, snapshot, { event, params, outside: comesFromOutside(request) });
  const rejection = decision.accepted ? refuseRound(snapshot, request) : undefined;
  return rejection ? { accepted: false, rejection } : decision;
}

/**
 * Tells whether an event is refused whatever happens: an internal one from outside, one for a version that is over, or one that came to an
 * address which is closed.
 */
export function isClosed(entity: AnyEntity, snapshot: Snapshot, request: Raised): boolean {
  const isHidden = entity.events[request.event]?.internal === true && comesFromOutside(request);
  return isHidden || isOutdated(snapshot, request) || isTooLate(snapshot, request);
}

type Raised = Partial<Pick<RaiseRequest, 'id'>> &
  Pick<
    RaiseRequest,
    'event' | 'params' | 'from' | 'chain' | 'operation' | 'expects' | 'actor' | 'tenant' | 'addressedAt'
  >;

/** Tells whether an internal event is not for who raises it. An address that the entity has made is its own word. A2 */
function comesFromOutside(request: Raised): boolean {
  return isOutside(request) && request.addressedAt === undefined;
}

/** Tells whether the address to which it came is closed, or was when it came. A2 */
function isTooLate({ addresses = [] }: Snapshot, { id, addressedAt: at }: Raised): boolean {
  return at !== undefined && !addresses.some((each) => each.id === id && at < each.until);
}

function addressClosed(of: AnyEntity, snapshot: Snapshot, { id, event }: Raised): Rejection {
  const [entity, { state }] = [entityId(snapshot), snapshot];
  const isOver = snapshot.addresses?.some((each) => each.id === id);
  const why = isOver ? 'its address has expired' : `${entity} no longer waits for it at this address`;
  const message = `'${displayEvent(of, event)}' comes too late: ${why}.`;
  return { code: 'callback_closed', message, entity, event, state };
}

function isOutdated({ life, version }: Snapshot, { expects }: Raised): boolean {
  return expects !== undefined && (expects.life !== life || expects.version !== version);
}

function versionConflict(of: AnyEntity, snapshot: Snapshot, { event, expects }: Raised): Rejection {
  const { life, version, state } = snapshot;
  const entity = entityId(snapshot);
  const now = expects?.life === life ? `it is of version ${version} now` : 'it has been created again since';
  const message = `'${displayEvent(of, event)}' was meant for version ${expects?.version} of ${entity}: ${now}. Read it, and decide again.`;
  const operation = currentOperation(snapshot);
  return {
    ...{ code: 'version_conflict', message, entity, event, state },
    ...(operation !== undefined && { operation }),
  };
}

/** Tells whether an event comes neither from an entity nor from an operation. */
export function isOutside({ actor, from, operation }: Pick<RaiseRequest, 'actor' | 'from' | 'operation'>): boolean {
  return actor !== undefined || (from === undefined && operation === undefined);
}

/** Decides one event in the state that the entity is in. An internal one is not for those outside. */
export function decide(
  entity: AnyEntity,
  snapshot: Snapshot,
  event: { readonly event: string; readonly params?: unknown; readonly outside?: boolean },
): Admission | Refusal {
  const declared: EventShape | undefined = Object.hasOwn(entity.events, event.event)
    ? entity.events[event.event]
    : undefined;
  const ending = entity.states[snapshot.state]?.ending;
  // The message is for people, so it has display names. The rejection has the names for programs.
  const [name, state] = [displayEvent(entity, event.event), displayState(entity, snapshot.state)];
  if (event.event === CREATED && ending !== 'deleted') {
    return refuse('already_exists', `${entityId(snapshot)} exists: it is ${state}.`);
  }
  if (event.event === RETRY_EVENT && ending === undefined) {
    const { exhausted, exhaustedBy } = snapshot;
    if (exhausted && exhaustedBy !== undefined) return decide(entity, snapshot, { event: exhaustedBy });
    const action = exhausted ? findAction(entity, snapshot.state) : undefined;
    if (action) return { accepted: true, action: action.name, params: undefined };
    return refuse('not_exhausted', `No action of ${entityId(snapshot)} has used up its attempts.`);
  }
  if (!declared && event.event !== CREATED && event.event !== RETRY_EVENT) {
    const known = Object.keys(entity.events);
    const meant = didYouMean(event.event, known);
    return refuse(
      'unknown_event',
      `${entity.name} has no event '${event.event}'.${meant} It has: ${known.join(', ') || 'none'}.`,
    );
  }

  if (declared?.internal && event.outside) {
    return refuse('not_public', `Only ${entity.name} itself and other entities raise '${name}'.`);
  }

  const action = asList(declared?.in).includes(snapshot.state)
    ? findAction(entity, snapshot.state, event.event)
    : undefined;
  if (!declared || !action) {
    if (ending === 'deleted') {
      return refuse('gone', `${entityId(snapshot)} was deleted before '${name}' arrived.`);
    }
    const answer = declared?.otherwise?.[snapshot.state];
    if (!answer && ending === 'terminal') {
      return refuse('terminal', `${entityId(snapshot)} had ended before '${name}' arrived: it stays ${state}.`);
    }
    const standing = `${entityId(snapshot)} is ${state}.`;
    const said =
      answer?.message === undefined
        ? `'${name}' ${PHRASES[answer?.code ?? ''] ?? 'is not valid while'} ${standing}`
        : sentence(answer.message, standing);
    return refuse(answer?.code ?? 'not_valid', said);
  }

  const never = unmetGuard(entity, snapshot, event.event);
  if (never) return refuseGuard(never);
  if (!declared.params && !isEmptyObject(event.params ?? {})) {
    return refuse('invalid_parameters', `'${name}' takes no parameters.`, [NO_PARAMETERS]);
  }
  const checked = declared.params ? give(declared.params, event.params ?? {}) : NONE;
  if (!checked.valid) {
    const { issues } = checked;
    const message = `The parameters of '${name}' are invalid: ${describeIssues(issues)}.`;
    return refuse('invalid_parameters', message, issues);
  }
  const params = checked.value;
  const unmet = unmetGuard(entity, snapshot, event.event, { params });
  return unmet ? refuseGuard(unmet) : { accepted: true, action: action.name, params };

  function refuseGuard(guard: Guard): Refusal {
    const { code, message } = guardAnswer(entity, event.event, guard);
    return refuse(code, sentence(message, `${entityId(snapshot)} is ${state}.`));
  }

  function refuse(code: string, message: string, issues?: Rejection['issues']): Refusal {
    const valid = validNow(entity, snapshot, event.outside);
    const remedy = issues
      ? ''
      : ` Valid now: ${valid.map((each) => displayEvent(entity, each)).join(', ') || 'nothing'}.`;
    const operation = currentOperation(snapshot);
    return {
      accepted: false,
      rejection: {
        code,
        message: message + remedy,
        entity: entityId(snapshot),
        event: event.event,
        state: snapshot.state,
        validNow: [...valid],
        ...(operation !== undefined && { operation }),
        ...(issues && { issues }),
      },
    };
  }
}

const PHRASES: Readonly<Record<string, string>> = {
  already_in_progress: 'is already in progress:',
  already_done: 'has already been done:',
};
/** The parameters of an event that takes none. */
const NONE = { valid: true, value: undefined } as const;
const NO_PARAMETERS = { path: '', message: 'takes no parameters' };

function sentence(message: string, standing: string): string {
  return `${message.replace(/\.?$/, '.')} ${standing}`;
}

function isEmptyObject(value: NonNullable<unknown>): boolean {
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The operation that runs on the entity now, if any. */
export function currentOperation(snapshot: Pick<Snapshot, 'engagements' | 'operation'>): string | undefined {
  return snapshot.engagements.at(-1)?.operation ?? (snapshot.operation?.open ? snapshot.operation.id : undefined);
}
