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

/** Reads every accessor of the schema's classes: zod turns what it returns into a member of its own. */
function materialise(schema: object): void {
  for (const name of accessorsOf(schema)) void (schema as Record<string, unknown>)[name];
}

/** The accessors of each class. Few classes have thousands of schemas, and whoever loads declarations waits for all of them. */
const accessorsOfClasses = new WeakMap<object, readonly string[]>();

function accessorsOf(object: object): readonly string[] {
  const own = Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([name, { get }]) => (get ? name : []));
  const prototype: unknown = Object.getPrototypeOf(object);
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return own;
  let inherited = accessorsOfClasses.get(prototype);
  if (!inherited) {
    inherited = accessorsOf(prototype);
    accessorsOfClasses.set(prototype, inherited);
  }
  return [...own, ...inherited];
}
