import { isDescription, type Description, type Value } from '../description/description.js';
import type { TableDescription } from './tree.js';

/**
 * Puts a description and all that it holds into a table, each once, and gives its number. Further children take the place of those
 * of the same name, or come after them.
 */
export function tabulate(
  table: TableDescription[],
  description: Description,
  further: TableDescription['children'] = [],
): number {
  const seen = new Map<Description, number>();
  const { kind, attributes, children } = description;
  const merged = new Map<string, number>(children.map(([name, child]) => [name, entry(table, child, seen)]));
  for (const [name, child] of further) merged.set(name, child);
  return table.push({ kind, attributes: values(table, attributes, seen), children: [...merged] }) - 1;
}

tabulate.value = (table: TableDescription[], value: Value): Value => kept(table, value, new Map());

function entry(table: TableDescription[], description: Description, seen: Map<Description, number>): number {
  const known = seen.get(description);
  if (known !== undefined) return known;
  const { kind, attributes } = description;
  const held = values(table, attributes, seen);
  const children = description.children.map(([name, child]) => [name, entry(table, child, seen)] as const);
  const number = table.push({ kind, attributes: held, children }) - 1;
  seen.set(description, number);
  return number;
}

function values(table: TableDescription[], given: Readonly<Record<string, Value>>, seen: Map<Description, number>) {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, kept(table, value, seen)]));
}

function kept(table: TableDescription[], value: Value, seen: Map<Description, number>): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isDescription(value)) return { $description: entry(table, value, seen) };
  if (Array.isArray(value)) return value.map((each: Value) => kept(table, each, seen));
  return values(table, value as Readonly<Record<string, Value>>, seen);
}
