import type { Explanation } from '../components/index.js';

/** A line for each component that has changed its phase between two looks at a tree. */
export function changesOf(before: Explanation | undefined, now: Explanation): readonly string[] {
  const known = new Map(before ? all(before).map((each) => [each.path, told(each)]) : []);
  return all(now).flatMap((each) => {
    const words = told(each);
    if (words === undefined || known.get(each.path) === words) return [];
    return [`${timeOf(each)}  ${(each.path || each.name).padEnd(28)}  ${words}`];
  });
}

function all(tree: Explanation): readonly Explanation[] {
  return [tree, ...tree.children.flatMap(all)];
}

/** Nothing of a step whose turn has not come. */
function told({ kind, phase, end }: Explanation): string | undefined {
  if (phase === 'to come') return undefined;
  return end ? `${kind} ${phase} ${end.type}: ${end.description}` : `${kind} ${phase}`;
}

function timeOf({ since }: Explanation): string {
  return new Date(since ?? 0).toISOString().slice(11, 23);
}
