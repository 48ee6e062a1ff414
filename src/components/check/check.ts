/*
 * All mistakes of a description at once, each with its path and a remedy, before anything starts. W1
 */
import { DeclarationError, type DeclarationProblem } from '../../definition/declaration-error.js';
import { isDescription, wrongName, type Description, type Value } from '../description/description.js';
import { isReference, routeOf } from '../description/reference.js';
import { refers } from '../tree/attribute.js';
import { fieldOf, type Kind, type Kinds } from '../tree/kind.js';

/** The mistakes of a description. */
export function componentProblems(kinds: Kinds, description: Description, path = ''): readonly DeclarationProblem[] {
  const kind = kinds.get(description.kind);
  const place = path === '' ? description.kind : path;
  if (!kind) {
    return [{ place, problem: `no kind '${description.kind}' is known`, remedy: 'Name its component to kindsOf().' }];
  }
  const below = (name: string) => (path === '' ? name : `${path}/${name}`);
  return [
    ...attributeProblems(kind, description, place),
    ...childProblems(kind, description, place),
    ...Object.entries(description.attributes).flatMap(([name, value]) =>
      isDescription(value)
        ? componentProblems(kinds, value, below(name))
        : referenceProblems(value, `${place}.${name}`),
    ),
    ...description.children.flatMap(([name, child]) => componentProblems(kinds, child, below(name))),
  ];
}

/** @throws DeclarationError with every mistake of a description */
export function checkComponents(kinds: Kinds, description: Description): void {
  const problems = componentProblems(kinds, description);
  if (problems.length > 0) throw new DeclarationError(description.kind, problems);
}

function attributeProblems(kind: Kind, { attributes }: Description, place: string): readonly DeclarationProblem[] {
  const known = Object.keys(kind.attributes.shape);
  const unknown = Object.keys(attributes)
    .filter((name) => !known.includes(name) && !(kind.takesTemplates && mayBeTemplate(attributes[name]!)))
    .map((name) => ({
      place: `${place}.${name}`,
      problem: `${kind.name} has no attribute '${name}'`,
      remedy: `Write one of ${known.join(', ')}.`,
    }));
  const wrong = known.flatMap((name) => {
    const value = attributes[name] ?? kind.defaults?.[name];
    if (value !== undefined && !isDescription(value) && refers(value)) return [];
    const parsed = fieldOf(kind, name)!.safeParse(value);
    if (parsed.success) return [];
    const problem = parsed.error.issues[0]!.message;
    return [{ place: `${place}.${name}`, problem, remedy: 'Give it a value of its schema, or a reference to one.' }];
  });
  return [...unknown, ...wrong];
}

function mayBeTemplate(value: Value): boolean {
  return isDescription(value) || isReference(value);
}

function childProblems(
  kind: Kind,
  { attributes, children }: Description,
  place: string,
): readonly DeclarationProblem[] {
  const names = children.map(([name]) => name);
  const named = [...Object.keys(attributes), ...names].flatMap((name) => {
    const problem = wrongName(name);
    return problem === undefined ? [] : [{ place, problem, remedy: `Write a letter first, as in 'n${name}'.` }];
  });
  const refused = names.length > 0 && !kind.takesChildren;
  const its = kind.wrong?.(attributes, names);
  return [
    ...named,
    ...(refused ? [{ place, problem: `${kind.name} takes no children`, remedy: 'Put them into a sequence().' }] : []),
    ...(its ? [{ place, problem: its.message, remedy: 'Change the description.' }] : []),
  ];
}

function referenceProblems(value: Value, place: string): readonly DeclarationProblem[] {
  if (isReference(value)) {
    if (routeOf(value.$ref)) return [];
    return [
      { place, problem: `ref('${value.$ref}') is no path`, remedy: "Write ref('../name') or ref('/deployment/x')." },
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each: Value) => referenceProblems(each, place));
}
