/*
 * The targets of links that ask that their target exists. S1.1
 *
 * link-target.1. A target has to exist when the link is set: before the action is committed, or before an entity is created
 *     with the link. It may end later: a target that the link held before is not asked for again.
 * link-target.2. A target does not exist when it does not live, was deleted or belongs to another tenant. What the same action
 *     creates exists, and so does the entity itself.
 */
import { LinkTargetAbsent } from '../../definition/action-errors.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Rejection } from '../../protocol/rejection.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { SeenEntity } from '../../protocol/reading.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { construct } from './construction.js';
import type { Contents } from './contents.js';
import { isAnothers } from './permission.js';

/** How long a target may take to answer that it exists, in milliseconds. */
const WITHIN_MS = 60_000;

/** One target of a link that asks that its target exists. */
export interface LinkTarget {
  /** The entity that has the link: `Parcel/one`. */
  readonly of: string;
  readonly link: string;
  readonly to: EntityRef;
}

/** All that matters here of an event that an action raises. */
interface Raised {
  readonly to: EntityRef;
  readonly creates: boolean;
  readonly targets?: readonly LinkTarget[];
}

/** Reads another entity. */
type Read = (of: EntityRef, withinMs: number) => Promise<SeenEntity | undefined>;

/** The targets that have to exist before an action is committed; mostly none. */
export function targetsOf(
  entity: AnyEntity,
  snapshot: Snapshot,
  { links, raises }: Pick<Contents, 'links'> & { readonly raises: readonly Raised[] },
): readonly LinkTarget[] {
  const created = raises.flatMap(({ to, creates }) => (creates ? [entityId(to)] : []));
  const set = [
    ...targetsSet(entity, snapshot, snapshot.links, links),
    ...raises.flatMap(({ targets = [] }) => targets),
  ];
  return set.filter(({ to }) => ![...created, entityId(snapshot)].includes(entityId(to)));
}

/**
 * The targets that have to exist before a request creates an entity, without the creator itself; none where the request would
 * not create one anyway.
 */
export function targetsAtBirth(
  entity: AnyEntity,
  ref: EntityRef,
  { event, construct: values }: Pick<RaiseRequest, 'event' | 'construct'>,
  creator = ref,
): readonly LinkTarget[] {
  const constructed = construct(entity, ref, event, values);
  if (!constructed.accepted) return [];
  const set = targetsSet(entity, ref, {}, constructed.contents.links);
  return set.filter(({ to }) => ![ref, creator].map(entityId).includes(entityId(to)));
}

/**
 * Rejects a request that would create an entity with a link to nothing. `living` has the snapshot of each target, in the same
 * order.
 */
export function refusalOfLinks(
  ref: EntityRef,
  request: RaiseRequest,
  targets: readonly LinkTarget[],
  living: readonly (Snapshot | undefined)[],
): Rejection | undefined {
  const absent = targets.filter((_, index) => {
    const found = living[index];
    return !found || isAnothers(found, request);
  });
  if (absent.length === 0) return undefined;
  const issues = absent.map(({ link, to }) => ({
    path: `construct.${link}`,
    message: `${entityId(to)} does not exist`,
  }));
  const message = describe(absent);
  return { code: 'link_target_absent', message, entity: entityId(ref), event: request.event, issues };
}

/** Asks all targets at the same time whether they exist. @throws LinkTargetAbsent, WaitTimedOut, Aborted */
export async function requireTargets(targets: readonly LinkTarget[], read: Read): Promise<void> {
  const asked = [...new Map(targets.map(({ to }) => [entityId(to), to])).values()];
  // Each answer is awaited, also when one target does not exist.
  const answers = await Promise.allSettled(asked.map((to) => read(to, WITHIN_MS)));
  const missing = asked.filter((_, index) => {
    const answer = answers[index]!;
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value === undefined;
  });
  const absent = targets.filter(({ to }) => missing.map(entityId).includes(entityId(to)));
  if (absent.length > 0) throw new LinkTargetAbsent(describe(absent));
}

/** The targets that links hold now and did not hold before. A value that is not a key is left out: the commit reports it. */
function targetsSet(
  entity: AnyEntity,
  ref: EntityRef,
  before: Contents['links'],
  after: Contents['links'],
): readonly LinkTarget[] {
  return Object.entries(entity.links).flatMap(([link, { to: type, mustExist }]) => {
    if (!mustExist) return [];
    const known = keysOf(before[link]);
    const set = keysOf(after[link]).filter((key) => !known.includes(key));
    return set.map((key) => ({ of: entityId(ref), link, to: { type, key } }));
  });
}

function keysOf(value: unknown): readonly string[] {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value];
  return keys.filter((key): key is string => typeof key === 'string' && key !== '');
}

function describe(absent: readonly LinkTarget[]): string {
  const told = absent.map(
    ({ of, link, to }) => `The link '${link}' of ${of} leads to ${entityId(to)}, which does not exist.`,
  );
  return [...told, 'Create it first, or check the key.'].join(' ');
}
