/**
 * A set of partitions in the notation of people, which also travels in messages: `0-99,120`. Ascending, without gaps that could be
 * joined; the empty set is `''`. Ten thousand partitions that are all there take six characters.
 */
export type PartitionSet = string;

export const NO_PARTITIONS: PartitionSet = '';

/** The partitions from 0 up to, but not including, the count. */
export function allPartitions(count: number): PartitionSet {
  return count === 0 ? NO_PARTITIONS : rangeText(0, count - 1);
}

export function partitionSet(numbers: Iterable<number>): PartitionSet {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let first = 0; first < sorted.length;) {
    let last = first;
    while (sorted[last + 1] === sorted[last]! + 1) last++;
    ranges.push(rangeText(sorted[first]!, sorted[last]!));
    first = last + 1;
  }
  return ranges.join(',');
}

/** The members, ascending. @throws RangeError when the text is not in this notation */
export function membersOf(set: PartitionSet): readonly number[] {
  if (set === NO_PARTITIONS) return [];
  return set.split(',').flatMap((range) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (from === undefined || Number(to) < Number(from))
      throw new RangeError(`'${range}' names no partitions. Write numbers and ranges, as in 0-99,120.`);
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
}

export function sizeOf(set: PartitionSet): number {
  return membersOf(set).length;
}

export function has(set: PartitionSet, partition: number): boolean {
  return membersOf(set).includes(partition);
}

export function union(...sets: readonly PartitionSet[]): PartitionSet {
  const filled = sets.filter((set) => set !== NO_PARTITIONS);
  return filled.length === 1 ? filled[0]! : partitionSet(filled.flatMap(membersOf));
}

export function without(set: PartitionSet, taken: PartitionSet): PartitionSet {
  if (taken === NO_PARTITIONS || set === NO_PARTITIONS) return set;
  const out = new Set(membersOf(taken));
  return partitionSet(membersOf(set).filter((each) => !out.has(each)));
}

export function common(one: PartitionSet, other: PartitionSet): PartitionSet {
  if (one === NO_PARTITIONS || other === NO_PARTITIONS) return NO_PARTITIONS;
  const both = new Set(membersOf(other));
  return partitionSet(membersOf(one).filter((each) => both.has(each)));
}

function rangeText(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
