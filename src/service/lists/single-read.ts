import type { ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { parseQuery, type EntityModel, type Item, type Query } from '../odata/index.js';
import { withExecutions } from './execution-links.js';
import { checkFormat } from './list-answer.js';
import type { Visible } from './visible.js';

/** The options that have a meaning where there is one row. */
const OPTIONS = ['$select', '$expand'];

/**
 * Reads what `$select` and `$expand` ask for of one row. They may name what only a read of a single one tells. S6.2
 * @throws ODataError
 */
export function singleQuery({ req }: ServiceContext, model: EntityModel): Query {
  checkFormat(new URL(req.url).searchParams);
  const given = OPTIONS.flatMap((option) => {
    const value = req.query(option);
    return value === undefined ? [] : [[option, value] as const];
  });
  return parseQuery(Object.fromEntries(given), { ...model, properties: { ...model.properties, ...model.live } });
}

/**
 * The row as the store has it, with what `$expand` adds. Gives `undefined` where the store does not know it yet.
 * @throws ODataError; ProblemError 503, 504
 */
export async function storedRow(
  parts: ServiceParts,
  visible: Visible,
  model: EntityModel,
  { expand }: Pick<Query, 'expand'>,
): Promise<Item | undefined> {
  const query: Query = { model, orderBy: [], count: false, expand };
  const limits = { maxRows: 1, maxExpanded: parts.settings.expandedRows };
  const listed = await parts.store?.list(query, visible, limits);
  return listed && withExecutions(parts, query, listed.items)[0];
}

/** Gives what `$select` names of a row, and all that `$expand` has added. Without `$select`, that is everything. */
export function selectedOf(item: Item, { select, expand }: Pick<Query, 'select' | 'expand'>): Item {
  if (!select) return item;
  const brought = expand.map(({ navigation }) => navigation.name);
  const about = Object.keys(item).filter((name) => brought.includes(name.split('@')[0] ?? '') || name.startsWith('@'));
  const whole = Object.fromEntries(about.map((name) => [name, item[name]]));
  return { ...whole, ...partsOf(item, select) };
}

function partsOf(item: Item, paths: readonly (readonly string[])[]): Item {
  const names = [...new Set(paths.map(([first = '']) => first))];
  return Object.fromEntries(
    names.map((name) => {
      const rests = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      const value = item[name];
      if (rests.some((rest) => rest.length === 0)) return [name, value ?? null];
      return [name, isItem(value) ? partsOf(value, rests) : null];
    }),
  );
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
