import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { breaksCallers, inWords, isMigrated, paired, same, stored, type Versions } from './context.js';
import type { JsonSchema } from './json-schema.js';

/** Changes of what an entity holds: properties, links, subordinates. Old values are read by new code, new ones by old callers. */
export function contentsChanges(versions: Versions): readonly Change[] {
  return [
    ...propertyChanges(versions),
    ...secretChanges(versions),
    ...linkChanges(versions),
    ...collectionChanges(versions),
  ];
}

function propertyChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const renamed = next.renamed.properties ?? {};
  const [before, after] = [old.properties as JsonSchema, next.properties as JsonSchema];
  const accepts = next.accepts as JsonSchema;
  const has = paired(members(before), members(after), renamed);
  const whole = wholeChanges(versions);
  const place = (name: string) => `${next.name}.properties.${name}`;

  const gone = has.gone.map(({ name }) =>
    breaksCallers(
      place(name),
      `The property '${name}' was removed: callers can no longer read it, and its values are dropped.`,
      `Keep '${name}' while callers read it, or declare its new name: renamed: { properties: { ${name}: '...' } }.`,
      touches,
    ),
  );
  const came = has.came.flatMap(({ name }) => {
    const needed = (accepts.required ?? []).includes(name);
    if (!needed) return [safe(place(name), `The property '${name}' is new, and entities can be without it.`)];
    return [
      stored(versions, {
        place: place(name),
        sentence: `The property '${name}' is new and required. No live entity has it.`,
        remedy: `Give it a default, make it optional, or set it in a migration to schema ${old.schema + 1}.`,
        touches,
      }),
    ];
  });
  const both = has.both.flatMap(([one, other]): readonly Change[] => {
    const { name } = other;
    const isRenamed = one.name !== name;
    const naming: readonly Change[] = isRenamed
      ? [
          breaksCallers(
            place(name),
            `The property '${one.name}' is now named '${name}': callers find it under the new name only.`,
            `Inform the callers that read '${one.name}', or keep it beside '${name}' until they have changed.`,
            touches,
            isMigrated(versions),
          ),
        ]
      : [];
    const was = [member(old.accepts as JsonSchema, one.name, old.accepts), member(before, one.name, old.properties)];
    const is = [member(accepts, name, next.accepts), member(after, name, next.properties)];
    const needs = (schema: unknown, member: string) => isRequired(schema as JsonSchema, member);
    if (isSameSchema(was, is) && needs(old.accepts, one.name) === needs(accepts, name)) return naming;
    const storedRefusals = refusals(member(accepts, name, next.accepts), member(before, one.name, old.properties));
    const readRefusals = refusals(member(before, one.name, old.properties), member(after, name, next.properties), true);
    const mayMiss = isRequired(before, one.name) && !isRequired(after, name);
    const unsure = !isRequired(before, one.name) && isRequired(accepts, name);
    const reasons = [
      ...storedRefusals,
      ...(unsure ? [{ path: '', reason: 'is required now, and entities may be without it' }] : []),
    ];
    const changes: Change[] = [...naming];
    if (reasons.length > 0) {
      changes.push(
        stored(versions, {
          place: place(name),
          sentence: `The property '${name}' accepts less than before. Stored values may not fit: ${inWords(reasons, name)}.`,
          touches,
        }),
      );
    }
    if (readRefusals.length > 0 || mayMiss) {
      const why = mayMiss ? [{ path: '', reason: 'may be missing now' }] : readRefusals;
      changes.push(
        breaksCallers(
          place(name),
          `Callers that read '${name}' may get unexpected values: ${inWords(why, name)}.`,
          `Add a new property beside '${name}', and remove this one when no caller reads it.`,
          touches,
        ),
      );
    }
    if (changes.length > naming.length || isSameSchema(was, is)) return changes;
    return [
      ...changes,
      safe(place(name), `The property '${name}' has changed compatibly for stored values and for callers.`),
    ];
  });
  return [...whole, ...gone, ...came, ...both];
}

/** Compares the rules for all properties together: `z.object({ ... }).refine(...)`. */
function wholeChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const place = `${next.name}.properties`;
  const [was, is] = [old, next].map(({ accepts, properties }) => [without(accepts), without(properties)] as const);
  if (isSameSchema(was, is)) return [];
  const stale = refusals(is![0], was![1]);
  const read = refusals(was![1], is![1], true);
  const changes: Change[] = [];
  if (stale.length > 0) {
    const sentence = `The properties together accept less than before, and stored ones may not fit: ${inWords(stale, 'the value')}.`;
    changes.push(stored(versions, { place, sentence, touches }));
  }
  if (read.length > 0) {
    const sentence = `Callers that read the properties may get unexpected values: ${inWords(read, 'the value')}.`;
    changes.push(breaksCallers(place, sentence, 'Keep the old constraint while callers rely on it.', touches));
  }
  return changes.length > 0 ? changes : [safe(place, 'The constraint on the properties is not stricter than before.')];
}

/** A schema of an object without its members. */
function without(schema: unknown): JsonSchema {
  const { properties: _properties, required: _required, $defs: _defs, ...whole } = schema as JsonSchema;
  return whole;
}

/** A secret property is for those alone who may read the entity: rows are found by nothing of it. Q5 */
function secretChanges({ old, next }: Versions): readonly Change[] {
  const { properties: renamed = {} } = next.renamed;
  const touches = { type: next.name };
  const was = new Set((old.secret ?? []).map((name) => renamed[name] ?? name));
  const is = new Set(next.secret ?? []);
  const had = new Set(members(old.properties as JsonSchema).map(({ name }) => renamed[name] ?? name));
  const place = (name: string) => `${next.name}.secret.${name}`;
  const hidden = [...is].filter((name) => had.has(name) && !was.has(name));
  const shown = members(next.properties as JsonSchema).filter(({ name }) => was.has(name) && !is.has(name));
  return [
    ...hidden.map((name) =>
      breaksCallers(
        place(name),
        `The property '${name}' is secret now: rows can be neither filtered, sorted nor summed by it, and earlier rows hold it as plaintext.`,
        `Inform the callers that filter by it, and write the rows again with 'reeve store rebuild'.`,
        touches,
      ),
    ),
    ...shown.map(({ name }) =>
      breaksCallers(
        place(name),
        `The property '${name}' is no longer secret: the rows have it as plaintext, for anyone who reads the database.`,
        `Keep '${name}' in secret, unless that is meant.`,
        touches,
      ),
    ),
  ];
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
}

function members({ properties = {} }: JsonSchema): readonly Member[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema }));
}

/** The schema of a member, with the definitions to which it may refer. */
function member(schema: JsonSchema, name: string, root: unknown): JsonSchema {
  const { $defs } = root as JsonSchema;
  return { ...schema.properties?.[name], ...($defs && { $defs }) };
}

function isRequired({ required = [] }: JsonSchema, name: string): boolean {
  return required.includes(name);
}

function linkChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const { gone, came, both } = paired(old.links, next.links, next.renamed.links);
  const place = (name: string) => `${next.name}.links.${name}`;
  return [
    ...gone.flatMap(({ name }) => [
      stored(versions, {
        place: place(name),
        sentence: `The link '${name}' was removed. Actions of entities that have it fail.`,
        remedy: `Leave it out in a migration to schema ${old.schema + 1}: ({ links: { ${name}, ...links } }) => ({ links }).`,
        touches,
      }),
      breaksCallers(
        place(name),
        `Callers can no longer read the link '${name}'.`,
        `Keep '${name}' while callers read it.`,
        touches,
      ),
    ]),
    ...came.map(({ name }) => safe(place(name), `The link '${name}' is new, and empty at first.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const { name } = other;
      if (one.to !== other.to) {
        const sentence = `The link '${name}' leads to ${other.to} now, and the keys that are stored are those of ${one.to}.`;
        return [stored(versions, { place: place(name), sentence, touches })];
      }
      if (one.many !== other.many) {
        const sentence = `The link '${name}' holds ${other.many ? 'a list of keys' : 'one key'} now, and entities have ${one.many ? 'lists' : 'one'}.`;
        return [
          stored(versions, { place: place(name), sentence, touches }),
          breaksCallers(
            place(name),
            `Callers read ${other.many ? 'a list' : 'one key'} at '${name}'.`,
            'Add a new link beside it.',
            touches,
          ),
        ];
      }
      if (one.name !== name) {
        const sentence = `The link '${one.name}' is now named '${name}': callers find it under the new name only.`;
        const remedy = `Inform the callers that read '${one.name}'.`;
        return [breaksCallers(place(name), sentence, remedy, touches, isMigrated(versions))];
      }
      if (one.mustExist !== other.mustExist) {
        return [
          safe(
            place(name),
            `The check that the target of '${name}' exists applies only to links that are set from now on.`,
          ),
        ];
      }
      return [];
    }),
  ];
}

function collectionChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const { gone, came, both } = paired(old.subordinates, next.subordinates);
  const place = (name: string) => `${next.name}.subordinates.${name}`;
  return [
    ...gone.flatMap(({ name }) => [
      stored(versions, {
        place: place(name),
        sentence: `The collection '${name}' was removed. Actions of entities that have it fail.`,
        remedy: `Leave it out in a migration to schema ${old.schema + 1}.`,
        touches,
      }),
      breaksCallers(place(name), `Callers read '${name}' no more.`, `Keep '${name}' while callers read it.`, touches),
    ]),
    ...came.map(({ name }) => safe(place(name), `The collection '${name}' is new, and empty at first.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const { name } = other;
      if (isSameSchema([old.acceptsMembers[name], one.schema], [next.acceptsMembers[name], other.schema])) return [];
      const stale = refusals(next.acceptsMembers[name], one.schema);
      const read = refusals(one.schema, other.schema, true);
      const changes: Change[] = [];
      if (stale.length > 0) {
        const sentence = `Members of '${name}' accept less than before: ${inWords(stale, 'a member')}.`;
        changes.push(stored(versions, { place: place(name), sentence, touches }));
      }
      if (read.length > 0) {
        const sentence = `Callers that read '${name}' may get unexpected values: ${inWords(read, 'a member')}.`;
        const remedy = 'Add a member beside the one that changes, and remove that when no caller reads it.';
        changes.push(breaksCallers(place(name), sentence, remedy, touches));
      }
      if (changes.length > 0 || same(one.schema, other.schema)) return changes;
      return [safe(place(name), `Members of '${name}' have changed compatibly for stored values and for callers.`)];
    }),
  ];
}
