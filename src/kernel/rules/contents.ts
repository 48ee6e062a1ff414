import { unaddressableKey } from '../../definition/key-text.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Link } from '../../definition/link.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { SchemaIssue } from '../../protocol/schema-problems.js';
import { admit, checkAgainst, type Wrong } from '../../protocol/carried.js';
import { timeIssues } from './one-shots.js';
import { sorted } from '../../protocol/sorted.js';

/** All that an entity holds beside its state: public, and changed only by its construction or in an action. S1.2 */
export type Contents = Pick<Snapshot, 'properties' | 'links' | 'subordinates'>;

/** The contents as their schemas return them, or everything in them that breaks a schema. */
export type CheckedContents = { readonly valid: true; readonly contents: Contents } | Wrong;

/** Checks contents, as they are stored, against what the declaration says of properties, links and subordinates. S1.1 */
export function checkContents(entity: AnyEntity, draft: Contents): CheckedContents {
  const issues: SchemaIssue[] = [];
  const properties = admit(entity.properties, draft.properties, 'properties', true);
  if (!properties.valid) issues.push(...properties.issues);

  const links: Record<string, Contents['links'][string]> = {};
  for (const name of namesOf(entity.links, draft.links)) {
    const path = `links.${name}`;
    const declared = Object.hasOwn(entity.links, name) ? entity.links[name] : undefined;
    if (!declared) {
      issues.push({ path, message: 'there is no such link' });
      continue;
    }
    const value: unknown = draft.links[name] ?? (declared.many ? [] : undefined);
    const message = linkProblem(declared, value);
    if (message !== undefined) issues.push({ path, message });
    else if (value !== undefined) links[name] = value as string | readonly string[];
  }

  const subordinates: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const name of namesOf(entity.subordinates, draft.subordinates)) {
    const path = `subordinates.${name}`;
    const schema = Object.hasOwn(entity.subordinates, name) ? entity.subordinates[name] : undefined;
    if (!schema) {
      issues.push({ path, message: 'there is no such collection' });
      continue;
    }
    const members = Object.entries(draft.subordinates[name] ?? {}).map(([key, member]) => {
      const checked = admit(schema, member, `${path}.${key}`, true);
      if (!checked.valid) issues.push(...checked.issues);
      return [key, checked.valid ? checked.value : member] as const;
    });
    subordinates[name] = Object.fromEntries(members);
  }

  if (issues.length > 0 || !properties.valid) return { valid: false, issues };
  return { valid: true, contents: { properties: properties.value as Contents['properties'], links, subordinates } };
}

/**
 * The fixed properties that a draft has changed; nothing where all is well. What a schema fills in is no change: a new version
 * of a declaration may bring a default to entities that live already. S1.2
 */
export function changedFixed({ fixed }: AnyEntity, before: Contents, draft: Contents): readonly string[] {
  const text = (value: unknown) => JSON.stringify(sorted(value));
  return fixed.filter((name) => text(draft.properties[name]) !== text(before.properties[name]));
}

/** Finds what in the contents breaks the constraint of a state; nothing where all is well. S1.6 */
export function constraintIssues(entity: AnyEntity, state: string, contents: Contents): readonly SchemaIssue[] {
  const { properties, links, subordinates } = contents;
  const constraint = entity.states[state]?.constraint;
  const checked = constraint && checkAgainst(constraint, { properties, links, subordinates });
  const issues = !checked || checked.valid ? [] : checked.issues;
  return [...issues, ...timeIssues(entity, state, contents)];
}

function linkProblem({ many }: Link, value: unknown): string | undefined {
  const isKey = (key: unknown) => typeof key === 'string' && key !== '' && unaddressableKey(key) === undefined;
  if (!many) return value === undefined || isKey(value) ? undefined : 'is not a key of an entity';
  if (!Array.isArray(value) || !value.every(isKey)) return 'is not a list of keys of entities';
  return new Set(value).size === value.length ? undefined : 'names an entity twice';
}

function namesOf(declared: object, given: object): readonly string[] {
  return [...new Set([...Object.keys(declared), ...Object.keys(given)])];
}
