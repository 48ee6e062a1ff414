import type { EntityModel, Item, Navigation, Own } from '../odata/index.js';

type Only = NonNullable<EntityModel['only']>;

/** The columns that say where a navigation leads from a row. */
export function ownColumns({ on }: Navigation): readonly string[] {
  return on.map(([own]) => (typeof own === 'string' ? own : pathOf(own)[0]));
}

/** The values that rows must have to belong to one row by a navigation. They come from what that row holds. */
export function belongingTo(item: Item, { on }: Navigation): Only {
  return Object.fromEntries(on.map(([own, theirs]) => [theirs, ownValue(item, own)]));
}

function ownValue(item: Item, own: Own): Only[string] {
  const [column, ...names] = typeof own === 'string' ? ([own] as const) : pathOf(own);
  const value = names.reduce<unknown>((held, name) => (isItem(held) ? held[name] : undefined), item[column]);
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function pathOf(own: Exclude<Own, string>): readonly [string, ...string[]] {
  return 'text' in own ? own.text : own.anyOf;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
