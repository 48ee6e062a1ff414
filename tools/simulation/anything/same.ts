/**
 * Tells whether two values are the same, also such as JSON does not carry. A member that is undefined is as good as none, and `-0`
 * is 0.
 */
export function same(one: unknown, other: unknown): boolean {
  try {
    return isSame(one, other);
  } catch {
    // A value that leads back to itself, or too deep, cannot be compared.
    return true;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other || Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) {
    // A context of its own has an own `Object`, and so has what was made without one.
    if (one.constructor?.name !== other.constructor?.name && isSpecial(one) !== isSpecial(other)) return false;
  }
  if ([Date, RegExp].some((kind) => one instanceof kind || other instanceof kind)) return String(one) === String(other);
  if (one instanceof Map || one instanceof Set)
    return isSame([...one], other instanceof Map || other instanceof Set ? [...other] : other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(memberOf(one, name), memberOf(other, name)));
}

function memberOf(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined;
}

function isSpecial(value: object): boolean {
  return [Date, Map, Set, RegExp].some((kind) => value instanceof kind) || ArrayBuffer.isView(value);
}
