/**
 * Makes the zod schemas in a value ready to be shared by all workflows of a worker.
 *
 * A worker loads declarations once and deep-freezes them, but zod adds members to its schemas as they are used. So each schema
 * gets its members now and is then frozen itself, which keeps the worker from freezing what zod still writes to.
 */
export function makeShareable(value: unknown, seen = new Set<object>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (isSchema(value)) {
    materialise(value);
    ownPattern(value._zod.def);
    Object.freeze(value);
    makeShareable(value._zod.def, seen);
  } else if (isPlain(value)) {
    for (const member of Object.values(value)) makeShareable(member, seen);
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
  for (let level: unknown = schema; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (get) void (schema as Record<string, unknown>)[name];
    }
  }
}
