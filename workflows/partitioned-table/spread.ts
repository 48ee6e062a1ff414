/** The partitions that a database has: from the first to the last one. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

/** Which partitions the database at a place has, of so many that have a part: all have as many, but for one. */
export function partOf(partitions: number, index: number, databases: number): Part {
  const startOf = (at: number) => Math.floor((at * partitions) / databases);
  return { first: startOf(index), last: startOf(index + 1) - 1 };
}
