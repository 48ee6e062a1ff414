import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';

/** This many characters fit a column of a table. */
const MOST_CHARACTERS = 64;

/**
 * Display names are short and in one line. No two states, and no two events, may have the same one, nor the name of another
 * one.
 */
export function displayNameProblems({ states, events }: AnyEntity): readonly DeclarationProblem[] {
  return [...problemsOf('states', states), ...problemsOf('events', events)];
}

type Declared = Readonly<Record<string, { readonly displayName?: string }>>;

function problemsOf(kind: string, declared: Declared): readonly DeclarationProblem[] {
  const owners = new Map(Object.keys(declared).map((name) => [name, name]));
  return Object.entries(declared).flatMap(([name, { displayName }]) => {
    if (displayName === undefined) return [];
    const place = `${kind}.${name}.displayName`;
    if (!isReadable(displayName)) {
      const remedy = `Write 1 to ${MOST_CHARACTERS} characters in one line, without spaces at the start or end.`;
      return [{ place, problem: `'${displayName}' is not a valid display name`, remedy }];
    }
    const owner = owners.get(displayName);
    owners.set(displayName, name);
    if (owner === undefined || owner === name) return [];
    const remedy = 'Choose another one.';
    return [{ place, problem: `'${displayName}' is already the display name of ${kind}.${owner}`, remedy }];
  });
}

function isReadable(text: string): boolean {
  return text !== '' && text === text.trim() && text.length <= MOST_CHARACTERS && !/[\p{Cc}\u2028\u2029]/u.test(text);
}
