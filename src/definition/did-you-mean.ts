/** The name that somebody may have meant, as a sentence with a space before it; nothing where none is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const wanted = given.toLowerCase();
  const near = [...known]
    .map((name) => ({ name, distance: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, wanted.length) / 3)))
    .sort((one, other) => one.distance - other.distance);
  return near[0] ? ` Did you mean '${near[0].name}'?` : '';
}

/** How many letters have to be added, left out, replaced, or swapped with the next one, to make the one of the other. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1];
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const edits = [row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (same ? 0 : 1)];
      next.push(Math.min(...edits, ...(swapped ? [before[to - 2]! + 1] : [])));
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
