import { innerOf, type AnySchema } from './values/schema-parts.js';

/** A schema, or a check of one, such as that of a regular expression. */
interface Part {
  readonly _zod: { readonly def: Record<string, unknown> };
}

/** The members of schemas and checks that hold regular expressions. */
const PATTERNS = ['pattern', 'hostname', 'protocol'];

/**
 * Makes the zod schemas in a value ready to be shared by all workflows of a worker.
 *
 * A worker loads declarations once and deep-freezes them, but zod adds members to its schemas as they are used. So each schema
 * gets its members now and is then frozen itself, which keeps the worker from freezing what zod still writes to.
 */
export function makeShareable(shared: unknown): void {
  for (const part of partsIn(shared)) {
    ownPatternsOf(part);
    materialise(part);
    Object.freeze(part);
  }
}

/**
 * Gives each schema in a value its own copies of its regular expressions. One is written to when it is used, and one that a module
 * exports is frozen with the module: those of zod are, when a worker loads a declaration for a workflow.
 */
export function ownPatterns(shared: unknown): void {
  for (const part of partsIn(shared)) ownPatternsOf(part);
}

function ownPatternsOf({ _zod: { def } }: Part): void {
  // One that is frozen was made ready before it was shared.
  if (Object.isFrozen(def)) return;
  for (const name of PATTERNS) {
    const pattern = def[name];
    if (pattern instanceof RegExp) def[name] = new RegExp(pattern);
  }
}

/** All schemas in a value, and their checks. */
function partsIn(shared: unknown): ReadonlySet<Part> {
  const seen = new Set<unknown>();
  const parts = new Set<Part>();
  // A list instead of recursion: the default of a schema may have any depth.
  const left = [shared];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isPart(value)) {
      parts.add(value);
      left.push(value._zod.def);
      if (value._zod.def['type'] === 'lazy') left.push(innerOf(value as unknown as AnySchema));
    } else if (isPlain(value)) {
      for (const member of membersOf(value)) left.push(member);
    }
  }
  return parts;
}

/** Reads the members; none where a getter names something that is not defined yet, which the check of the declaration tells. */
function membersOf(value: object): readonly unknown[] {
  try {
    return Object.values(value);
  } catch {
    return [];
  }
}

function isPart(value: object): value is Part {
  return '_zod' in value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
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
