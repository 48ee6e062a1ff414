import type { Item, Query } from '../odata/index.js';

/**
 * The members of subordinates that `$expand` asks for without options. They come from what the entity itself has told, so that
 * they fit the rest of the answer. Members to be filtered or ordered are left to the store, and so are more than `most`. S1.2,
 * S6.2
 */
export function liveMembers(subordinates: Item, { expand }: Pick<Query, 'expand'>, most: number): Item {
  const asked = expand.flatMap(({ navigation, options }) => {
    const { within, properties } = navigation.target();
    if (!within || Object.keys(options).length > 0) return [];
    const held = Object.entries(objectOf(subordinates[within.path.at(-1) ?? '']));
    const rows = held.map(([name, value]) => {
      const told = Object.keys(properties).map((property) => {
        if (property === within.named) return [property, name] as const;
        return [property, property === within.whole ? value : (objectOf(value)[property] ?? null)] as const;
      });
      return Object.fromEntries(told);
    });
    return rows.length > most ? [] : [[navigation.name, rows] as const];
  });
  return Object.fromEntries(asked);
}

function objectOf(value: unknown): Item {
  return typeof value === 'object' && value !== null ? (value as Item) : {};
}
