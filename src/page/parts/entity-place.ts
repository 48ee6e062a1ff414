/**
 * Gives the parts of the address of what an id names: an entity, `LogicalServer/orders`; an operation over partitions,
 * `distributed/orders/buildIndex/3`; or a job of one, `buildIndex/orders/3/7`. A target, `distributed/orders`, has no view of its own.
 */
export function placeOfId(id: string): readonly string[] {
  const slash = id.indexOf('/');
  const [type, key] = [id.slice(0, slash), id.slice(slash + 1)];
  // Types of entities begin with a capital letter.
  if (!/^[a-z]/.test(type)) return ['entities', type, key];
  if (type === 'distributed') return /\/\d+$/.test(key) ? [type, key] : [type];
  const [, target, instance] = /^(.+)\/(\d+)\/\d+$/.exec(key) ?? [];
  return target === undefined ? ['distributed'] : ['distributed', `${target}/${type}/${instance}`];
}
