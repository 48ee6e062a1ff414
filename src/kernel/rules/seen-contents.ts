/*
 * Gives what code sees of an entity's contents, and what is stored of what it leaves. S1.5a
 */
import { Defect } from '../../definition/action-errors.js';
import type { AnyEntity } from '../../definition/entity.js';
import { natureOf } from '../../definition/values/nature.js';
import { decode, encode, plain, type Checked } from '../../protocol/carried.js';
import { describeIssues, type SchemaIssue } from '../../protocol/schema-problems.js';
import type { Contents } from './contents.js';

type Convert = (schema: AnyEntity['subordinates'][string], value: unknown, path: string) => Checked;

/** Gives what code sees of stored contents: a copy. @throws Defect where the declaration cannot read them */
export function seenContents<C extends Contents>(entity: AnyEntity, stored: C): C {
  const { properties, links, subordinates, ...others } = JSON.parse(JSON.stringify(stored)) as C;
  const seen = decode(entity.properties, properties, 'properties');
  const members = hasCodecs(entity)
    ? eachMember(entity, subordinates, decode)
    : ({ valid: true, value: subordinates } as const);
  if (seen.valid && members.valid) {
    return { ...others, properties: seen.value, links, subordinates: members.value } as C;
  }
  const issues = [seen, members].flatMap((each) => (each.valid ? [] : each.issues));
  const message = `${entity.name} has contents that its schemas do not accept: ${describeIssues(issues)}.`;
  throw new Defect('constraint_violated', message);
}

/**
 * Gives what is stored of contents as code has left them: a copy.
 * @param by what has left them: `The action 'place' of Box`
 * @throws Defect where they cannot be stored, or their schemas cannot encode them
 */
export function keptContents(entity: AnyEntity, left: Contents, by: string): Contents {
  const properties = encode(entity.properties, left.properties, 'properties', true);
  const links = plain(left.links, 'links', true);
  const encoded = hasCodecs(entity)
    ? eachMember(entity, left.subordinates, (schema, member, path) => encode(schema, member, path, true))
    : ({ valid: true, value: left.subordinates } as const);
  const subordinates = encoded.valid ? plain(encoded.value, 'subordinates', true) : encoded;
  if (properties.valid && links.valid && subordinates.valid) {
    return { properties: properties.value, links: links.value, subordinates: subordinates.value } as Contents;
  }
  const wrong = [properties, links, subordinates].filter((each) => !each.valid);
  const told = describeIssues(wrong.flatMap(({ issues }) => issues));
  if (wrong.some(({ unstorable }) => unstorable)) {
    throw new Defect('unstorable_value', `${by} left a value that cannot be stored: ${told}`);
  }
  throw new Defect('constraint_violated', `${by} left contents that break their schema: ${told}.`);
}

/** Does the same with each member of each collection of subordinates. */
function eachMember(entity: AnyEntity, collections: unknown, convert: Convert): Checked {
  const issues: SchemaIssue[] = [];
  let unstorable = false;
  const note = (checked: Checked): unknown => {
    if (checked.valid) return checked.value;
    issues.push(...checked.issues);
    unstorable ||= checked.unstorable === true;
    return undefined;
  };
  const converted: Record<string, unknown> = {};
  for (const [name, collection] of entriesOf(collections)) {
    const schema = Object.hasOwn(entity.subordinates, name) ? entity.subordinates[name]! : undefined;
    const path = `subordinates.${name}`;
    converted[name] =
      schema && natureOf(schema).codec
        ? Object.fromEntries(
            entriesOf(collection).map(([key, member]) => [key, note(convert(schema, member, `${path}.${key}`))]),
          )
        : collection;
  }
  if (issues.length === 0) return { valid: true, value: converted };
  return { valid: false, issues, ...(unstorable ? { unstorable: true as const } : {}) };
}

function hasCodecs({ subordinates }: AnyEntity): boolean {
  return Object.values(subordinates).some((schema) => natureOf(schema).codec);
}

function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
