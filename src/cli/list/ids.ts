/** What ids of the store stand for, by a look-up of those that are there, each once; none is made for none. */
export async function readByIds<Row, Value>(
  ids: readonly (number | null)[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
  entry: (row: Row) => readonly [id: number, value: Value],
): Promise<ReadonlyMap<number, Value>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  return new Map(wanted.length === 0 ? [] : (await read(wanted)).map(entry));
}
