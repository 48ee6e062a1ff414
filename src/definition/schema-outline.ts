/**
 * Describes the structure of all schemas in a declaration as text, by place: `properties.size`. The text is equal for two copies of a
 * declaration, whichever realm has loaded them. Of functions it tells only where they stand, since a bundler rewrites them.
 */
export function schemaOutlines(declaration: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown, place: string): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    if (isSchema(value)) {
      const { shape, ...def } = value._zod.def as { readonly shape?: object };
      found.set(place, JSON.stringify(outline(shape ? { ...def, shape: Object.keys(shape) } : def, [value])));
      value = shape ?? {};
    }
    for (const [name, member] of Object.entries(value as object)) walk(member, place ? `${place}.${name}` : name);
  };
  walk(declaration, '');
  return found;
}

/** @param above the values that contain this one: a schema may contain itself */
function outline(value: unknown, above: readonly unknown[]): unknown {
  switch (typeof value) {
    case 'function':
      return 'function';
    case 'bigint':
    case 'symbol':
    case 'undefined':
      return `${typeof value} ${String(value)}`;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      break;
    default:
      return value;
  }
  if (value === null) return null;
  const depth = above.indexOf(value);
  if (depth >= 0) return { contains: depth };
  const within = [...above, value];
  if (isSchema(value)) return outline(value._zod.def, within);
  if (Object.prototype.toString.call(value) === '[object RegExp]') return String(value);
  if (Array.isArray(value)) return value.map((member) => outline(member, within));
  if (isIterable(value)) return [...value].map((member) => outline(member, within));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, outline(member, within)]),
  );
}

function isSchema(value: object): value is { readonly _zod: { readonly def: object } } {
  return '_zod' in value;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
