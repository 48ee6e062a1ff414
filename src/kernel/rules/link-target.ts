/*
 * Where links lead that ask for something to be there. S1.1
 *
 * link-target.1. It is asked for when a link is set: before the action is committed, or before anything comes to be with it. What
 *     is there then may end later, and what a link has held since before is not asked for again.
 * link-target.2. Nothing is there that does not live, was deleted or belongs to another tenant, and is not just being created by
 *     the same action. The entity itself is there.
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

/** How long one that a link is to lead to may take to say that it is there, in milliseconds. */
const WITHIN_MS = 60_000;

/** One end of a link that asks for something to be there. */
export interface LinkTarget {
  /** Whose link it is: `Parcel/one`. */
  readonly of: string;
  readonly link: string;
  readonly to: EntityRef;
}

/** As much as counts of an event that an action raises. */
interface Raised {
  readonly to: EntityRef;
  readonly creates: boolean;
  readonly targets?: readonly LinkTarget[];
}

/** Whoever can ask others how they are. */
interface Reader {
  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined>;
}

/** What has to be there before an action is committed; mostly nothing. */
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
 * What has to be there before an entity comes to be by a request, beside whoever creates it; nothing where it would not come to
 * be anyway.
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

/** Why nothing comes to be by a request, since a link would lead to nothing; nothing where it would. `living`: by target. */
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

/** Asks each target whether it is there, all at once. @throws LinkTargetAbsent, WaitTimedOut, Aborted */
export async function requireTargets(targets: readonly LinkTarget[], reader: Reader): Promise<void> {
  const asked = [...new Map(targets.map(({ to }) => [entityId(to), to])).values()];
  // None is left waiting when one is not there.
  const answers = await Promise.allSettled(asked.map((to) => reader.read(to, WITHIN_MS)));
  const missing = asked.filter((_, index) => {
    const answer = answers[index]!;
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value === undefined;
  });
  const absent = targets.filter(({ to }) => missing.map(entityId).includes(entityId(to)));
  if (absent.length > 0) throw new LinkTargetAbsent(describe(absent));
}

/** What links hold now and did not before. What is no key is not asked for: the commit says so. */
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
