import type { Side } from './side.js';

/** How many are created at a time. */
const AT_ONCE = 50;

/** Creates valves and gives their keys. */
export async function createAll(side: Side, name: string, count: number): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, (_, number) => `${name}-${number}`);
  for (let start = 0; start < count; start += AT_ONCE) {
    await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => side.create(key)));
  }
  return keys;
}
