import { parseCondition, parseExpression } from './expression-parser.js';
import { MAX_ORDER_ITEMS } from './limits.js';
import type { EntityModel } from './model.js';
import { parsePath } from './path-parser.js';
import type { OrderItem } from './query.js';
import { scopeOf } from './scope.js';
import type { TokenReader } from './token-reader.js';
import type { Expression } from './expression.js';
import { KIND_NAMES } from './typing.js';

/*
 * Reads the values of the single options. Each function reads as far as its own grammar goes.
 */

export function parseFilter(reader: TokenReader, model: EntityModel): Expression {
  return parseCondition(reader, scopeOf(model));
}

/** Reads an order: `name,start_time desc`. */
export function parseOrderBy(reader: TokenReader, model: EntityModel): readonly OrderItem[] {
  const items: OrderItem[] = [];
  do {
    const start = reader.peek();
    if (items.length === MAX_ORDER_ITEMS) {
      reader.fail('limit', start.position, `there are more than ${MAX_ORDER_ITEMS} values to order by`);
    }
    const expression = parseExpression(reader, scopeOf(model));
    const { kind } = expression.type;
    if (['object', 'collection', 'json', 'null', 'duration'].includes(kind)) {
      reader.fail('wrong_type', start.position, `rows cannot be ordered by ${KIND_NAMES[kind]}`);
    }
    items.push({ expression, text: reader.textSince(start), direction: parseDirection(reader) });
  } while (reader.takeSign(','));
  return items;
}

function parseDirection(reader: TokenReader): 'asc' | 'desc' {
  const { kind, text, spaceBefore } = reader.peek();
  const word = text.toLowerCase();
  if (kind !== 'word' || !spaceBefore || (word !== 'asc' && word !== 'desc')) return 'asc';
  reader.next();
  return word;
}

/** Reads the paths of properties: `name,properties/port`. Gives `undefined` for `*`, which is everything. */
export function parseSelect(reader: TokenReader, model: EntityModel): readonly (readonly string[])[] | undefined {
  const paths = new Map<string, readonly string[]>();
  let everything = false;
  do {
    if (reader.takeSign('*')) everything = true;
    else {
      const path = parseSelected(reader, model);
      paths.set(path.join('/'), path);
    }
  } while (reader.takeSign(','));
  return everything ? undefined : [...paths.values()];
}

function parseSelected(reader: TokenReader, model: EntityModel): readonly string[] {
  const { text, position } = reader.peek();
  const target = parsePath(reader, scopeOf(model));
  if (target.kind === 'value' && target.expression.kind === 'property') {
    const { place } = target.expression;
    if (place.through.length === 0) {
      if (reader.isSign('('))
        reader.fail('unsupported', reader.peek().position, `write the whole path, such as ${text}/name`);
      return place.path;
    }
  }
  if (target.kind === 'collection' && target.collection.kind === 'values') return target.collection.place.path;
  return reader.fail('unsupported', position, `'${text}' leads to other rows; use $expand`);
}

/** @returns a whole number from 0 on */
export function parseWholeNumber(reader: TokenReader): number {
  const { kind, text, position } = reader.peek();
  if (kind !== 'number' || !/^\d+$/.test(text)) reader.unexpected('a whole number');
  if (!Number.isSafeInteger(Number(text))) reader.fail('limit', position, 'the number is too large');
  reader.next();
  return Number(text);
}

export function parseBoolean(reader: TokenReader): boolean {
  const { kind, text } = reader.peek();
  const word = text.toLowerCase();
  if (kind !== 'word' || (word !== 'true' && word !== 'false')) reader.unexpected("'true' or 'false'");
  reader.next();
  return word === 'true';
}
