/**
 * A set of partitions in the notation of people, which also travels in messages: `0-99,120`. Ascending, without gaps that could be
 * joined; the empty set is `''`. Ten thousand partitions that are all there take six characters.
 */
export type PartitionSet = string;

/** The set without partitions. */
export const NO_PARTITIONS: PartitionSet = '';
/** The most partitions of a target. A set is read into memory, so a slip like `0-9999999999` must not reach a worker. */
export const MOST_PARTITIONS = 1_000_000;

/** The partitions from 0 up to, but not including, the count. */
export function allPartitions(count: number): PartitionSet {
  return count === 0 ? NO_PARTITIONS : rangeText(0, count - 1);
}

/** Makes a set of the numbers of partitions, as text: `0-99,120`. */
export function partitionSet(numbers: Iterable<number>): PartitionSet {
  const ascending = Int32Array.from(numbers).sort();
  return textOf(ascending.filter((each, at) => at === 0 || each !== ascending[at - 1]));
}

/** The members, ascending. @throws RangeError when the text is not in this notation */
export function membersOf(set: PartitionSet): readonly number[] {
  const known = READ.get(set);
  if (known) return known;
  const members = set === NO_PARTITIONS ? [] : read(set);
  if (READ.size >= MOST_READ) READ.clear();
  READ.set(set, members);
  return members;
}

/** Sets that were read last: a decision looks at the same few again and again. What it decides does not depend on this. */
const READ = new Map<PartitionSet, readonly number[]>();
const MOST_READ = 50;

function read(set: PartitionSet): readonly number[] {
  const members: number[] = [];
  for (const range of set.split(',')) {
    const dash = range.indexOf('-');
    const from = numberIn(dash < 0 ? range : range.slice(0, dash), range);
    const to = dash < 0 ? from : numberIn(range.slice(dash + 1), range);
    if (to < from) throw notPartitions(range);
    for (let each = from; each <= to; each++) members.push(each);
  }
  return members;
}

/** Counts the partitions of a set. */
export function sizeOf(set: PartitionSet): number {
  return membersOf(set).length;
}

/** Returns whether a set has a partition. */
export function has(set: PartitionSet, partition: number): boolean {
  return membersOf(set).includes(partition);
}

/** Returns the partitions that any of the sets has. */
export function union(...sets: readonly PartitionSet[]): PartitionSet {
  const filled = sets.filter((set) => set !== NO_PARTITIONS);
  return filled.length < 2 ? (filled[0] ?? NO_PARTITIONS) : partitionSet(filled.flatMap(membersOf));
}

/** Returns the partitions of a set that another one does not have. */
export function without(set: PartitionSet, taken: PartitionSet): PartitionSet {
  if (taken === NO_PARTITIONS || set === NO_PARTITIONS) return set;
  return set === taken ? NO_PARTITIONS : selected(set, taken, false);
}

/** Returns the partitions that both sets have. */
export function common(one: PartitionSet, other: PartitionSet): PartitionSet {
  if (one === NO_PARTITIONS || other === NO_PARTITIONS) return NO_PARTITIONS;
  return one === other ? one : selected(one, other, true);
}

/** The members that another set has, or has not. Both are ascending, so each is looked at once. */
function selected(set: PartitionSet, by: PartitionSet, wanted: boolean): PartitionSet {
  const others = membersOf(by);
  const kept: number[] = [];
  let at = 0;
  for (const member of membersOf(set)) {
    while (at < others.length && others[at]! < member) at++;
    if ((others[at] === member) === wanted) kept.push(member);
  }
  return textOf(kept);
}

function textOf(ascending: ArrayLike<number>): PartitionSet {
  const ranges: string[] = [];
  for (let first = 0; first < ascending.length;) {
    let last = first;
    while (ascending[last + 1] === ascending[last]! + 1) last++;
    ranges.push(rangeText(ascending[first]!, ascending[last]!));
    first = last + 1;
  }
  return ranges.join(',');
}

function numberIn(text: string, range: string): number {
  const number = text === '' ? NaN : Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw notPartitions(range);
  if (number >= MOST_PARTITIONS)
    throw new RangeError(
      `'${range}' has a number above ${MOST_PARTITIONS - 1}. A target has at most ${MOST_PARTITIONS} partitions.`,
    );
  return number;
}

function notPartitions(range: string): RangeError {
  return new RangeError(`'${range}' names no partitions. Write numbers and ranges, as in 0-99,120.`);
}

function rangeText(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
