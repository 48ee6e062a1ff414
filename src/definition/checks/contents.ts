import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { keySchemas } from '../key-schema.js';
import { TENANT } from '../tenant.js';
import { askSchema } from '../values/ask-schema.js';
import { oneOf, unknownName } from './graph.js';

/** Properties, links and subordinates have different names, and all have values when the entity is created. */
export function contentsProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return [
    ...sharedNames(entity),
    ...constructProblems(entity),
    ...valueProblems(entity),
    ...fixedProblems(entity),
    ...secretProblems(entity),
    ...dimensionProblems(entity),
  ];
}

/** Properties, links and subordinates stand side by side where an entity is read, so no two may have the same name. */
function sharedNames(entity: AnyEntity): readonly DeclarationProblem[] {
  const taken = new Map(Object.keys(entity.properties.shape).map((name) => [name, 'a property']));
  const problems: DeclarationProblem[] = [];
  const take = (names: readonly string[], place: string, kind: string) => {
    for (const name of names) {
      const other = taken.get(name);
      if (other === undefined) taken.set(name, kind);
      else
        problems.push({
          place: `${place}.${name}`,
          problem: `has the name of ${other}`,
          remedy: 'Rename one of them.',
        });
    }
  };
  take(Object.keys(entity.links), 'links', 'a link');
  take(Object.keys(entity.subordinates), 'subordinates', 'a collection of subordinates');
  return problems;
}

function constructProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const names = [...Object.keys(entity.properties.shape), ...Object.keys(entity.links)];
  return Object.keys(entity.construct?.shape ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => unknownName(`construct.${name}`, 'property or link', name, names));
}

/** A member that a construction may leave out needs a first value of its own. S2.1 */
function valueProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const asked = askSchema(entity.properties, {});
  if (asked.success) return [];
  if (asked.thrown !== undefined) return throwingProblems(entity, asked.thrown);
  return asked.issues
    .filter(({ path: [name] }) => !isGiven(entity, String(name)))
    .map(({ path }) => ({
      place: ['properties', ...path].join('.'),
      problem: 'has no value when the entity is created',
      remedy: "Give it a .default(...), make it .optional() if an action sets it later, or require it in 'construct'.",
    }));
}

/** The schemas whose code throws where no value is given: zod does not say which of them it was. */
function throwingProblems({ properties }: AnyEntity, anywhere: string): readonly DeclarationProblem[] {
  const problem = (place: string, thrown: string): DeclarationProblem => ({
    place,
    problem: `has a schema that throws if there is no value: ${thrown}`,
    remedy: 'Give it a .default(...), or call ctx.addIssue(...) in its code instead of throwing.',
  });
  const throwing = Object.entries(properties.shape).flatMap(([name, member]) => {
    const asked = askSchema(member, undefined);
    return asked.success || asked.thrown === undefined ? [] : [problem(`properties.${name}`, asked.thrown)];
  });
  return throwing.length > 0 ? throwing : [problem('properties', anywhere)];
}

/** Tells whether every construction gives the value. The member is asked alone, since another one may be missing too. */
function isGiven(entity: AnyEntity, name: string): boolean {
  const shape = entity.construct?.shape ?? {};
  if (!Object.hasOwn(shape, name)) return false;
  const asked = askSchema(shape[name]!, undefined);
  return !asked.success || asked.data !== undefined;
}

/** No action gives a fixed property its value, so the construction has to, or a default. S1.2 */
function fixedProblems({ properties, construct, fixed }: AnyEntity): readonly DeclarationProblem[] {
  return fixed.flatMap((name) => {
    const member = Object.hasOwn(properties.shape, name) ? properties.shape[name] : undefined;
    if (!member) return [unknownName('fixed', 'property', name, Object.keys(properties.shape))];
    if (Object.hasOwn(construct?.shape ?? {}, name)) return [];
    const first = askSchema(member, undefined);
    if (!first.success || first.data !== undefined) return [];
    const remedy = "Name it in 'construct', give it a .default(...), or take it out of 'fixed'.";
    return [
      { place: `fixed.${name}`, problem: 'never has a value: nothing sets it when the entity is created', remedy },
    ];
  });
}

/** A secret property can be found by nothing, so it is no dimension: a dimension is a column, and a search attribute of the tenant. Q5 */
function secretProblems({ properties, secret, dimensions }: AnyEntity): readonly DeclarationProblem[] {
  return secret.flatMap((name) => {
    if (!Object.hasOwn(properties.shape, name)) {
      return [unknownName('secret', 'property', name, Object.keys(properties.shape))];
    }
    const shown = Object.entries(dimensions).filter(([, source]) => source === `properties.${name}`);
    return shown.map(([dimension]) => ({
      place: `dimensions.${dimension}`,
      problem: `shows the property '${name}', which is secret`,
      remedy: "Take it out of 'secret', or choose another dimension: dimensions are stored as plaintext.",
    }));
  });
}

function dimensionProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const sources = [
    'key',
    ...Object.keys(keySchemas(entity) ?? {}).map((name) => `key.${name}`),
    TENANT,
    ...Object.keys(entity.properties.shape).map((name) => `properties.${name}`),
    ...Object.entries(entity.links).flatMap(([name, { many }]) => (many ? [] : [`links.${name}`])),
  ];
  return Object.entries(entity.dimensions).flatMap(([name, source]) => {
    const place = `dimensions.${name}`;
    const problems: DeclarationProblem[] = [];
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      const remedy = 'Use small letters, digits and underscores, like logical_server_id.';
      problems.push({ place, problem: `'${name}' is not a valid column name`, remedy });
    }
    if (!sources.includes(source)) {
      problems.push({
        place,
        problem: `there is no '${source}'`,
        remedy: oneOf(sources),
        unknown: true,
      });
    } else if ((name === TENANT) !== (source === TENANT)) {
      const problem = "only the dimension 'tenant' has the source 'tenant', because access depends on it";
      problems.push({ place, problem, remedy: "Write tenant: 'tenant', and give other dimensions another name." });
    }
    return problems;
  });
}
