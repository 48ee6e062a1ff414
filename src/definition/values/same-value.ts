/** Tells whether two values are the same JSON, whatever the order of their members. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) =>
    isSameValue((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  );
}
