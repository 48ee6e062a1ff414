import type { EntityModel } from '../model.js';
import type { ExpandItem, Query } from '../query.js';
import { PLACE, type ExpandedRow, type Item } from './item.js';
import { completeOrder } from './order.js';
import { encodeSkipToken } from './skip-token.js';

/**
 * An item as the client gets it. It has each expanded collection up to the limit, and a link to the rest. OData JSON 4.01, 4.5.5
 */
export function expandedItem(raw: Item, query: Query, maxExpanded: number): Item {
  const { [PLACE]: place, ...item } = raw;
  const expanded = query.expand.flatMap((each): (readonly [string, unknown])[] => {
    const { name, many } = each.navigation;
    const value = item[name];
    if (!many) return isItem(value) ? [[name, expandedItem(value, each.query, maxExpanded)]] : [];
    // The statement has made it so.
    const rows = value as readonly ExpandedRow[];
    const shown = rows.slice(0, maxExpanded);
    const items = shown.map(([inner]) => (isItem(inner) ? expandedItem(inner, each.query, maxExpanded) : inner));
    const last = shown.at(-1);
    if (rows.length <= maxExpanded || !last) return [[name, items]];
    const next = linkToRest(query.model, place as readonly string[], each, last, shown.length);
    return [
      [name, items],
      [`${name}@odata.nextLink`, next],
    ];
  });
  return { ...item, ...Object.fromEntries(expanded) };
}

/** The address where the collection is served by itself, with the same options, from after a row on. */
function linkToRest(
  { served, name }: EntityModel,
  place: readonly string[],
  { navigation, query, options }: ExpandItem,
  [, position]: ExpandedRow,
  shown: number,
): string {
  if (!served) throw new Error(`${name} leads to collections, but has no address`);
  const values = [...place];
  const path = served.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ''));
  const left = query.top === undefined ? undefined : query.top - shown;
  const $skiptoken = encodeSkipToken(completeOrder(query), position, left);
  const pairs = Object.entries({ ...options, $skiptoken }).map(
    ([option, value]) => `${option}=${encodeURIComponent(value)}`,
  );
  return `${path}/${navigation.name}?${pairs.join('&')}`;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
