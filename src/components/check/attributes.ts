import type { DeclarationProblem } from '../../definition/declaration-error.js';
import { isDescription, wrongName, type Value } from '../description/description.js';
import { common, heldBy } from '../description/fields.js';
import { isReference } from '../description/reference.js';
import { refers } from '../tree/attribute.js';
import { fieldOf, type Kind, type Kinds } from '../tree/kind.js';
import { nameOf, type Place } from './place.js';

/** Attributes that are not known, and values that their schemas do not take. */
export function attributeProblems(kinds: Kinds, place: Place, kind: Kind): readonly DeclarationProblem[] {
  const { attributes } = place.description;
  const known = Object.keys(kind.attributes.shape);
  const unknown = Object.keys(attributes)
    .filter((name) => !known.includes(name) && !(kind.takesTemplates && mayBeTemplate(attributes[name]!)))
    .map((name) => ({
      place: `${nameOf(place)}.${name}`,
      problem: `${kind.name} has no attribute '${name}'`,
      remedy: `Write one of ${[...known.filter((each) => !(each in common.shape)), ...Object.keys(common.shape)].join(', ')}.`,
    }));
  const wrong = known.flatMap((name) => {
    const value = attributes[name] ?? kind.defaults?.[name];
    const problem = wrongValue(kinds, kind, name, value);
    return problem ? [{ place: `${nameOf(place)}.${name}`, ...problem }] : [];
  });
  return [...unknown, ...wrong];
}

function wrongValue(kinds: Kinds, kind: Kind, name: string, value: Value | undefined) {
  const field = fieldOf(kind, name)!;
  if (isDescription(value)) {
    const its = kinds.get(value.kind);
    if (heldBy(field) !== 'condition' || !its || its.isCondition) return undefined;
    const problem = `${value.kind} is no condition`;
    return { problem, remedy: 'Give it one, as in isTrue(), or your own component with `evaluate`.' };
  }
  if (value !== undefined && refers(value)) return undefined;
  const parsed = field.safeParse(value);
  if (parsed.success) return undefined;
  return {
    problem: value === undefined ? 'it is missing' : parsed.error.issues[0]!.message,
    remedy: 'Give it a value of its schema, or a reference to one.',
  };
}

function mayBeTemplate(value: Value): boolean {
  return isDescription(value) || isReference(value);
}

/** Names that could not keep their place, children where there are none, and what the kind itself has against it. */
export function childProblems(kinds: Kinds, place: Place, kind: Kind): readonly DeclarationProblem[] {
  const { attributes, children } = place.description;
  const names = children.map(([name]) => name);
  const problems: Omit<DeclarationProblem, 'place'>[] = [...Object.keys(attributes), ...names].flatMap((name) => {
    const wrong = wrongName(name);
    return wrong ? [wrong] : [];
  });
  if (names.length > 0 && !kind.takesChildren) {
    problems.push({ problem: `${kind.name} takes no children`, remedy: 'Put them into a sequence().' });
  }
  for (const [name, child] of kind.asksChildren ? children : []) {
    const its = kinds.get(child.kind);
    if (!its || its.isCondition) continue;
    const problem = `its child '${name}' is no condition`;
    problems.push({ problem, remedy: `Only conditions can be asked: ${child.kind} cannot.` });
  }
  const its = kind.wrong?.(attributes, names);
  if (its) problems.push({ problem: its.message, remedy: 'Change the description.' });
  return problems.map((problem) => ({ place: nameOf(place), ...problem }));
}
