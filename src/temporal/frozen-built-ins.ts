/*
 * Loaded once for a worker, after all other shared modules. All workflows of a thread share their built-ins, so that what the code of
 * one entity puts into `Array.prototype` would be there for all. Here, such code fails instead. The SDK freezes what the globals
 * name (`JSON`, `Math`), and not their prototypes.
 *
 * frozen-built-ins.1. What code may do to objects of its own goes on as before: to assign `toString` to an object, or `name` to an
 *     error, makes a property of that object, though the one that it inherits is frozen.
 * frozen-built-ins.2. V8 stays as fast: it has quick ways for arrays, typed arrays, objects and regular expressions whose prototypes are
 *     as they were. With methods of arrays that are frozen one by one, `reduce`, `push` and `for of` take four to seven times as long;
 *     with a frozen `Array.prototype`, an event takes a third longer. With a frozen prototype of typed arrays, to write a byte takes
 *     twelve times as long in Node 20, so only its methods are frozen. What would be slow is restored before and after each activation
 *     instead, so that it lasts no longer than the turn of the entity that changed it: the methods of `Array.prototype`, which is
 *     sealed, and of `RegExp.prototype` (frozen, a match takes six times as long), and the assignable names of `Object.prototype` (as
 *     accessors, they make an event a tenth dearer).
 */

/** The properties that code of all ages assigns to objects of its own, by the built-in whose prototype has them. */
const ASSIGNABLE = ['constructor', 'toString', 'toLocaleString', 'valueOf', 'name', 'message'];
const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
const BUILT_INS: readonly { readonly prototype: object }[] = [
  ...[Function, Number, String, Boolean, Symbol, BigInt, Map, Set, WeakMap, WeakSet, Promise, Date],
  ...[ArrayBuffer, DataView, ...ERRORS],
];
/** Those of which only the methods are frozen, with the names that stay assignable. frozen-built-ins.2 */
const BY_METHOD: readonly (readonly [builtIn: { readonly prototype: object }, without: readonly string[]])[] = [
  [Object, ASSIGNABLE],
  [Uint8Array, []],
  [Object.getPrototypeOf(Uint8Array) as typeof Uint8Array, []],
];

for (const { prototype } of [Function, ...ERRORS]) keepAssignable(prototype);
for (const builtIn of BUILT_INS) {
  Object.freeze(builtIn.prototype);
  Object.freeze(builtIn);
}
for (const [builtIn, without] of BY_METHOD) {
  freezeMethods(builtIn.prototype, without);
  Object.preventExtensions(builtIn.prototype);
  Object.freeze(builtIn);
}

Object.seal(Array.prototype);
Object.freeze(Array);

/** frozen-built-ins.2 */
const RESTORED = [...methods(Object.prototype, ASSIGNABLE), ...methods(Array.prototype), ...methods(RegExp.prototype)];

/** Undoes what an entity has assigned to the built-ins that are not frozen. frozen-built-ins.2 */
export function restoreBuiltIns(): void {
  for (const { prototype, name, descriptor } of RESTORED) {
    if (prototype[name] !== descriptor.value) Object.defineProperty(prototype, name, descriptor);
  }
}

interface Method {
  readonly prototype: Record<PropertyKey, unknown>;
  readonly name: PropertyKey;
  readonly descriptor: PropertyDescriptor;
}

function methods(prototype: object, names = Reflect.ownKeys(prototype)): readonly Method[] {
  return names.flatMap((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    return descriptor?.value === undefined ? [] : [{ prototype: prototype as Method['prototype'], name, descriptor }];
  });
}

/** frozen-built-ins.1 */
function keepAssignable(prototype: object): void {
  for (const name of ASSIGNABLE) {
    const { value, enumerable } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (value === undefined) continue;
    Object.defineProperty(prototype, name, {
      get: () => value as unknown,
      set(this: object, assigned: unknown) {
        if (this === prototype)
          throw new TypeError(`Cannot assign to '${name}' of a built-in, which all workflows share.`);
        Object.defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true });
      },
      enumerable: enumerable === true,
      configurable: false,
    });
  }
}

/** frozen-built-ins.2 */
function freezeMethods(prototype: object, without: readonly string[]): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (without.includes(name)) continue;
    const isAccessor = Object.getOwnPropertyDescriptor(prototype, name)?.get !== undefined;
    Object.defineProperty(prototype, name, { configurable: false, ...(!isAccessor && { writable: false }) });
  }
}
