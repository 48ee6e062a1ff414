import type { ContentsChange } from '../../protocol/records.js';
import type { Contents } from './contents.js';

/** How much is kept with one version, in characters of JSON: records of very many versions have to fit into memory. */
const MOST_CHARACTERS = 8_000;

/** Finds what is different in the contents after an action. What is too large is named, and left out. */
export function changedContents(before: Contents, after: Contents): readonly ContentsChange[] {
  const changes: ContentsChange[] = [];
  let room = MOST_CHARACTERS;
  const add = (part: ContentsChange['part'], name: string, found: readonly ContentsChange[]) => {
    if (found.length === 0) return;
    const size = JSON.stringify(found).length;
    if (size > room) {
      changes.push({ part, name, leftOut: true });
      return;
    }
    changes.push(...found);
    room -= size;
  };
  for (const part of ['properties', 'links'] as const) {
    for (const name of differing(before[part], after[part])) {
      add(part, name, [{ part, name, ...valueAt(after[part], name) }]);
    }
  }
  for (const name of differing(before.subordinates, after.subordinates)) {
    const [old, members] = [before.subordinates[name] ?? {}, after.subordinates[name] ?? {}];
    const found = differing(old, members).map((key): ContentsChange => ({
      part: 'subordinates',
      name,
      key,
      ...valueAt(members, key),
    }));
    add('subordinates', name, found);
  }
  return changes;
}

type Values = Readonly<Record<string, unknown>>;

/** The names under which the values differ. */
function differing(before: Values, after: Values): readonly string[] {
  if (before === after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

function valueAt(values: Values, name: string): Pick<ContentsChange, 'value'> {
  return values[name] === undefined ? {} : { value: values[name] };
}

/** Tells whether two values are the same JSON, whatever the order of their members. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return differing(one as Values, other as Values).length === 0;
}
