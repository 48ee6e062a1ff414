/**
 * Gives the parts of the address of what a type and a key name: an entity, `LogicalServer/orders`; an operation over partitions,
 * `distributed/orders/buildIndex/3`; or a job of one, `buildIndex/orders/3/7`. A target, `distributed/orders`, has no view of its own.
 */
export function placeOf(type: string, key: string): readonly string[] {
  // Types of entities begin with a capital letter.
  if (!/^[a-z]/.test(type)) return ['entities', type, key];
  if (type === 'distributed') return /\/\d+$/.test(key) ? [type, key] : [type];
  const [, target, instance] = /^(.+)\/(\d+)\/\d+$/.exec(key) ?? [];
  return target === undefined ? ['distributed'] : ['distributed', `${target}/${type}/${instance}`];
}
