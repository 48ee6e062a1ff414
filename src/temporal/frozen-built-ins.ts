/*
 * Loaded once for a worker, after all other shared modules. All workflows of a thread share their built-ins, so that what the code of
 * one entity puts into `Array.prototype` would be there for all. Here, such code fails instead. The SDK freezes what the globals
 * name (`JSON`, `Math`), and not their prototypes.
 *
 * frozen-built-ins.1. What code may do to objects of its own goes on as before: to assign `toString` to an object, or `name` to an
 *     error, makes a property of that object, though the one that it inherits is frozen.
 * frozen-built-ins.2. V8 stays as fast: it has quick ways for arrays and regular expressions whose prototypes are as they were. So
 *     the methods of arrays are frozen one by one, but for their iterator, and `RegExp.prototype` is left as it is: frozen, it takes
 *     six times as long.
 */

/** What code of all ages assigns to objects of its own, by the built-in whose prototype has it. */
const ASSIGNABLE = ['constructor', 'toString', 'toLocaleString', 'valueOf', 'name', 'message'];
const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
const BUILT_INS: readonly { readonly prototype: object }[] = [
  ...[Object, Function, Number, String, Boolean, Symbol, BigInt, Map, Set, WeakMap, WeakSet, Promise, Date],
  ...[ArrayBuffer, DataView, Object.getPrototypeOf(Uint8Array) as typeof Uint8Array, Uint8Array, ...ERRORS],
];

for (const { prototype } of [Object, Function, ...ERRORS]) keepAssignable(prototype);
for (const builtIn of BUILT_INS) {
  Object.freeze(builtIn.prototype);
  Object.freeze(builtIn);
}
freezeMethods(Array.prototype);
Object.preventExtensions(Array.prototype);
Object.freeze(Array);

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
function freezeMethods(prototype: object): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'length' || name === 'constructor') continue;
    Object.defineProperty(prototype, name, { writable: false, configurable: false });
  }
}
