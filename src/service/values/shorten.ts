/** The most characters of a text, members of an object or list, and members in all. */
const MOST_CHARACTERS = 2_000;
const MOST_MEMBERS = 100;
const MOST_IN_ALL = 500;
/** The most characters of all texts together. */
const MOST_TEXT = 32_000;
/** The most that is said of what was cut. */
const MOST_SAID = 20;

/** Cuts a value to a size that a person can read. @returns what was cut, by its path */
export function shorten(value: unknown): { readonly value: unknown; readonly cut: readonly string[] } {
  const cut: string[] = [];
  let members = MOST_IN_ALL;
  let text = MOST_TEXT;
  const say = (path: string, what: string) => cut.length < MOST_SAID && cut.push(`${path || 'value'}: ${what}`);
  const walk = (each: unknown, path: string): unknown => {
    if (typeof each === 'string') {
      const most = Math.max(0, Math.min(MOST_CHARACTERS, text));
      text -= Math.min(each.length, most);
      if (each.length <= most) return each;
      say(path, `${each.length - most} more characters`);
      return `${each.slice(0, most)}…`;
    }
    if (typeof each !== 'object' || each === null) return each;
    const isList = Array.isArray(each);
    const all = Object.entries(each);
    const shown: (readonly [string, unknown])[] = [];
    for (const [name, member] of all) {
      if (shown.length >= MOST_MEMBERS || members <= 0 || text <= 0) break;
      members--;
      text -= isList ? 0 : name.length;
      shown.push([name, walk(member, isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`)]);
    }
    if (shown.length < all.length) say(path, `${all.length - shown.length} more ${isList ? 'items' : 'members'}`);
    return isList ? shown.map(([, member]) => member) : Object.fromEntries(shown);
  };
  return { value: walk(value, ''), cut };
}
