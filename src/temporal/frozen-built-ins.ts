/*
 * Loaded once for a worker, after all other shared modules. All workflows of a thread share their built-ins, so that what the code of
 * one entity puts into `Array.prototype` would be there for all. Here, such code fails instead. The SDK freezes what the globals
 * name (`JSON`, `Math`), and not their prototypes.
 *
 * frozen-built-ins.1. What code may do to objects of its own goes on as before: to assign `toString` to an object, or `name` to an
 *     error, makes a property of that object, though the one that it inherits is frozen.
 * frozen-built-ins.2. V8 stays as fast: it has quick ways for arrays, objects and regular expressions whose prototypes are as they
 *     were. So the methods of arrays are frozen one by one, but for their iterator. What would be slow is not frozen but restored
 *     before and after each activation, so that it lasts no longer than the turn of the entity that changed it: the methods of
 *     `RegExp.prototype` (frozen, it takes six times as long), and the assignable names of `Object.prototype` (as accessors, they
 *     make an event a tenth dearer).
 */

/** The properties that code of all ages assigns to objects of its own, by the built-in whose prototype has them. */
const ASSIGNABLE = ['constructor', 'toString', 'toLocaleString', 'valueOf', 'name', 'message'];
const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
const BUILT_INS: readonly { readonly prototype: object }[] = [
  ...[Function, Number, String, Boolean, Symbol, BigInt, Map, Set, WeakMap, WeakSet, Promise, Date],
  ...[ArrayBuffer, DataView, Object.getPrototypeOf(Uint8Array) as typeof Uint8Array, Uint8Array, ...ERRORS],
];

/** frozen-built-ins.2 */
const RESTORED = [...methods(Object.prototype, ASSIGNABLE), ...methods(RegExp.prototype)];

for (const { prototype } of [Function, ...ERRORS]) keepAssignable(prototype);
for (const builtIn of BUILT_INS) {
  Object.freeze(builtIn.prototype);
  Object.freeze(builtIn);
}
freezeMethods(Object.prototype, ASSIGNABLE);
freezeMethods(Array.prototype, ['length', 'constructor']);
for (const builtIn of [Object, Array]) {
  Object.preventExtensions(builtIn.prototype);
  Object.freeze(builtIn);
}

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
