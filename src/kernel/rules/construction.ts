import type { AnyEntity } from '../../definition/entity.js';
import type { Rejection } from '../../protocol/rejection.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { describeKeyIssues, joinKey, keyIssues, type KeyIssue } from '../../definition/key-check.js';
import { Rejected } from '../../protocol/errors.js';
import { checkContents, constraintIssues, type Contents } from './contents.js';
import type { Refusal } from './decide.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import { give } from '../../protocol/carried.js';

/** The values with which an entity is created. */
export interface Construction {
  readonly accepted: true;
  readonly contents: Contents;
}

/**
 * The contents of an entity that is created with these values: a pure function. The client asks it before anything is created,
 * and the entity itself at its birth. S2.1
 */
export function construct(
  entity: AnyEntity,
  ref: EntityRef,
  event: string,
  values: Readonly<Record<string, unknown>> = {},
): Construction | Refusal {
  const given = entity.construct && give(entity.construct, values, 'construct');
  if (given && !given.valid) return refuse('invalid_parameters', given.issues);
  if (!given && Object.keys(values).length > 0) {
    const issues = Object.keys(values).map((name) => ({ path: `construct.${name}`, message: 'cannot be given' }));
    return refuse('invalid_parameters', issues);
  }
  const named = Object.entries((given?.value ?? {}) as typeof values);
  const checked = checkContents(entity, {
    properties: Object.fromEntries(named.filter(([name]) => !Object.hasOwn(entity.links, name))),
    links: Object.fromEntries(named.filter(([name]) => Object.hasOwn(entity.links, name))) as Contents['links'],
    subordinates: {},
  });
  if (!checked.valid) {
    const issues = checked.issues.map(({ path, message }) => ({ path: asGiven(path, values), message }));
    return refuse('invalid_parameters', issues);
  }
  const state = initialState(entity);
  const broken = constraintIssues(entity, state, checked.contents);
  if (broken.length > 0) return refuse('constraint_violated', broken, ` in ${state}`);
  return { accepted: true, contents: checked.contents };

  function refuse(code: string, issues: NonNullable<Rejection['issues']>, where = ''): Refusal {
    const message = `${entityId(ref)} cannot be created${where}: ${describeIssues(issues)}.`;
    return { accepted: false, rejection: { code, message, entity: entityId(ref), event, issues } };
  }
}

/** Why a text is not a key of the type; nothing where it is one. */
export function checkKey(entity: AnyEntity, ref: EntityRef, event: string): Refusal | undefined {
  const issues = keyIssues(entity, ref.key);
  return issues.length === 0 ? undefined : refuseKey(entity, ref, event, issues);
}

/**
 * The entity that a caller means. The caller gives its key as a text or by its parts.
 * @throws Rejected `invalid_key` where that is not a key of the type
 */
export function refGiven(entity: AnyEntity, given: unknown, event = ''): EntityRef {
  const joined = joinKey(entity, given);
  if ('key' in joined) return { type: entity.name, key: joined.key };
  const ref = { type: entity.name, key: typeof given === 'string' ? given : JSON.stringify(given) };
  throw new Rejected(refuseKey(entity, ref, event, joined.issues).rejection);
}

function refuseKey(entity: AnyEntity, ref: EntityRef, event: string, issues: readonly KeyIssue[]): Refusal {
  const message = `'${ref.key}' is not a key of ${entity.name}: ${describeKeyIssues(issues)}.`;
  return { accepted: false, rejection: { code: 'invalid_key', message, entity: entityId(ref), event, issues } };
}

/** The state in which entities of a type begin. */
export function initialState(entity: AnyEntity): string {
  // There is exactly one: the declaration has been checked.
  return Object.entries(entity.states).find(([, { initial }]) => initial)![0];
}

/** The path under which the caller gave a value: `construct.size` for `properties.size`. */
function asGiven(path: string, values: Readonly<Record<string, unknown>>): string {
  const [, name = '', ...rest] = path.split('.');
  return Object.hasOwn(values, name) ? ['construct', name, ...rest].join('.') : path;
}
