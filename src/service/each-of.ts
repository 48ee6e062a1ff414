/** Does something with each, so many at a time, and gives what came of it in their order. */
export async function eachOf<T, R>(all: readonly T[], atOnce: number, work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    while (next < all.length) {
      const index = next++;
      results[index] = await work(all[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  return results;
}
