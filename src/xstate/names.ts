/** Names of a declaration for names of a machine. Names that Reeve accepts stay as they are. */

const STATE = /^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;
const EVENT = /^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;

/** The words of a name, without signs: `user.SIGN_IN` has three. */
function wordsOf(name: string): readonly string[] {
  const words = name.replaceAll('*', ' any ').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (/[a-z]/.test(word) ? word : word.toLowerCase()));
}

/** `LogicalServer`, for the name of a type. */
export function capital(name: string, or = 'Machine'): string {
  const joined = wordsOf(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Z]/.test(joined) ? joined : `${or}${joined}`;
}

/** `logicalServer`, for the name of an action or a constant. */
export function small(name: string, or = 'step'): string {
  const joined = capital(name, capital(or));
  return joined[0]!.toLowerCase() + joined.slice(1);
}

/** `logical-server`, for the name of a folder. */
export function hyphenated(name: string): string {
  return wordsOf(name).join('-').toLowerCase();
}

/** The name of a state for its keys below the root; a root with regions has none. */
export function stateName(path: readonly string[]): string {
  if (path.length === 0) return 'AllRegions';
  const joined = path.map((key) => (STATE.test(key) ? key : capital(key, 'State'))).join('_');
  return STATE.test(joined) ? joined : capital(joined, 'State');
}

export function eventName(event: string): string {
  const name = EVENT.test(event) ? event : small(event, 'event');
  return name === 'created' || name.startsWith('reeve') ? `on${capital(name)}` : name;
}

/** The name, or else one with a number that is not taken yet. */
export function unique(name: string, taken: Set<string>): string {
  const free = (each: string) => !taken.has(each) && !(each in Object.prototype);
  let [found, count] = [name, 1];
  while (!free(found)) found = `${name}${++count}`;
  taken.add(found);
  return found;
}
