/**
 * Makes the zod schemas in a value ready to be shared by all workflows of a worker.
 *
 * A worker loads declarations once and deep-freezes them, but zod adds members to its schemas as they are used. So each schema
 * gets its members now and is then frozen itself, which keeps the worker from freezing what zod still writes to.
 */
export function makeShareable(shared: unknown): void {
  const seen = new Set<unknown>();
  // A list instead of recursion: the default of a schema may have any depth.
  const left = [shared];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isSchema(value)) {
      materialise(value);
      ownPattern(value._zod.def);
      Object.freeze(value);
      left.push(value._zod.def);
    } else if (isPlain(value)) {
      for (const member of Object.values(value)) left.push(member);
    }
  }
}

function isSchema(value: object): value is { readonly _zod: { readonly def: object } } {
  return '_zod' in value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/**
 * Gives a schema its own copy of a regular expression: one is written to when it is used, and one that a module exports is
 * frozen with the module.
 */
function ownPattern(def: { pattern?: unknown }): void {
  if (def.pattern instanceof RegExp) def.pattern = new RegExp(def.pattern);
}

/** Reads every member of the schema and every accessor of its classes: zod turns what an accessor returns into a member of its own. */
function materialise(schema: object): void {
  const members = [...Object.getOwnPropertyNames(schema), ...accessorsOf(Object.getPrototypeOf(schema))];
  for (const name of members) void (schema as Record<string, unknown>)[name];
}

/** The accessors of each class and of those that it extends. Few classes have thousands of schemas, and each start of a worker waits for all. */
const accessorsOfClasses = new WeakMap<object, readonly string[]>();

function accessorsOf(prototype: unknown): readonly string[] {
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return [];
  let accessors = accessorsOfClasses.get(prototype);
  if (!accessors) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    const own = members.flatMap(([name, { get }]) => (get ? name : []));
    accessors = [...own, ...accessorsOf(Object.getPrototypeOf(prototype))];
    accessorsOfClasses.set(prototype, accessors);
  }
  return accessors;
}
