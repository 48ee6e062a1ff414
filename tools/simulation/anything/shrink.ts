/* Makes a plan smaller while it still fails: it takes out members one by one, the large ones first. */

/** @param fails whether the smaller plan fails in the same way */
export async function shrink<T>(plan: T, fails: (smaller: T) => Promise<boolean>, most = 400): Promise<T> {
  let now = plan;
  let tries = 0;
  for (let again = true; again && tries < most;) {
    again = false;
    for (const path of pathsIn(now)) {
      if (tries >= most) break;
      const smaller = without(now, path);
      if (smaller === undefined) continue;
      tries++;
      if (!(await fails(smaller))) continue;
      now = smaller;
      again = true;
    }
  }
  return now;
}

type Path = readonly (string | number)[];

/** The places of all members, those of the outermost first. */
function pathsIn(plan: unknown): readonly Path[] {
  const paths: Path[] = [];
  let level: (readonly [unknown, Path])[] = [[plan, []]];
  while (level.length > 0) {
    const next: (readonly [unknown, Path])[] = [];
    for (const [value, path] of level) {
      if (typeof value !== 'object' || value === null) continue;
      const names = Array.isArray(value) ? value.map((_, index) => value.length - 1 - index) : Object.keys(value);
      for (const name of names) {
        paths.push([...path, name]);
        next.push([(value as Record<string | number, unknown>)[name], [...path, name]]);
      }
    }
    level = next;
  }
  return paths;
}

/** The plan without the member; nothing where that is not there any more. */
function without<T>(plan: T, path: Path): T | undefined {
  const copy = structuredClone(plan);
  const last = path.at(-1)!;
  const on = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (at as Record<string | number, unknown> | undefined)?.[name], copy);
  if (typeof on !== 'object' || on === null || !(last in on)) return undefined;
  if (Array.isArray(on)) on.splice(Number(last), 1);
  else delete (on as Record<string, unknown>)[last];
  return copy;
}
