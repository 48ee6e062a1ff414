import { ODataError } from './error.js';
import { MAX_EXPAND_DEPTH, MAX_LENGTH } from './limits.js';
import { navigationNamed, type EntityModel, type Navigation } from './model.js';
import { parseBoolean, parseFilter, parseOrderBy, parseSelect, parseWholeNumber } from './options.js';
import { refuseSpecial } from './path-parser.js';
import type { ExpandItem, Query } from './query.js';
import { TokenReader } from './token-reader.js';
import type { Token } from './tokens.js';

/** The options of the standard, without their `$`. */
const SUPPORTED = ['filter', 'select', 'orderby', 'top', 'skip', 'skiptoken', 'count', 'expand'];

type Draft = { -readonly [K in keyof Query]: Query[K] };

/**
 * Reads the query options of a request, after their percent-encoding is undone. Names may come in any case and, as OData 4.01
 * allows, without `$`. S6.2
 * @param others names of options that the service handles by itself
 * @throws ODataError for the first option that cannot be followed as it is
 */
export function parseQuery(
  options: URLSearchParams | Readonly<Record<string, string>>,
  model: EntityModel,
  others: readonly string[] = [],
): Query {
  const draft = emptyQuery(model);
  const given = new Set<string>();
  const pairs = options instanceof URLSearchParams ? [...options] : Object.entries(options);
  for (const [written, value] of pairs) {
    if (others.includes(written)) continue;
    const name = systemName(written, others);
    const option = `$${name}`;
    if (given.has(name)) throw new ODataError('syntax', option, 1, 'it is given twice');
    given.add(name);
    if (name === 'skiptoken') {
      draft.skipToken = checkedToken(value);
      continue;
    }
    const reader = new TokenReader(option, value);
    if (reader.peek().spaceBefore) reader.fail('syntax', 1, 'there is a space at the beginning');
    parseOption(name, reader, draft, 1);
    reader.expectEnd();
  }
  return draft;
}

function emptyQuery(model: EntityModel): Draft {
  return { model, orderBy: [], count: false, expand: [] };
}

function systemName(written: string, others: readonly string[]): string {
  const name = written.toLowerCase().replace(/^\$/, '');
  if (SUPPORTED.includes(name)) return name;
  if (written.startsWith('@')) {
    throw new ODataError('unsupported', written, 1, 'aliases of parameters are not supported; write the value itself');
  }
  const names = [...SUPPORTED.map((each) => `$${each}`), ...others].join(', ');
  throw new ODataError('unsupported', written, 1, `the option is not supported; the supported ones are ${names}`);
}

function checkedToken(value: string): string {
  if (value === '') throw new ODataError('syntax', '$skiptoken', 1, 'it is empty');
  if (value.length > MAX_LENGTH) throw new ODataError('limit', '$skiptoken', MAX_LENGTH + 1, 'it is too long');
  return value;
}

function parseOption(name: string, reader: TokenReader, draft: Draft, depth: number): void {
  switch (name) {
    case 'filter':
      draft.filter = parseFilter(reader, draft.model);
      return;
    case 'select': {
      const select = parseSelect(reader, draft.model);
      if (select) draft.select = select;
      return;
    }
    case 'orderby':
      draft.orderBy = parseOrderBy(reader, draft.model);
      return;
    case 'top':
      draft.top = parseWholeNumber(reader);
      return;
    case 'skip':
      draft.skip = parseWholeNumber(reader);
      return;
    case 'count':
      draft.count = parseBoolean(reader);
      return;
    case 'expand':
      draft.expand = parseExpand(reader, draft.model, depth);
      return;
    default:
      throw new Error(`no parser for the option ${name}`);
  }
}

/** Reads what is to be expanded: `events,link($select=name;$top=5)`. */
function parseExpand(reader: TokenReader, model: EntityModel, depth: number): readonly ExpandItem[] {
  if (depth > MAX_EXPAND_DEPTH) {
    reader.fail(
      'limit',
      reader.peek().position,
      `there are more than ${MAX_EXPAND_DEPTH} expansions within each other`,
    );
  }
  const items = new Map<string, ExpandItem>();
  do {
    const start = reader.peek();
    const parsed = reader.takeSign('*')
      ? model.navigation.map((navigation) => withoutOptions(navigation))
      : [parseExpandItem(reader, model, depth)];
    const { text, position } = reader.peek(1);
    if (reader.isSign('/'))
      reader.fail(
        'unsupported',
        position,
        `'/${text}' is not supported in $expand; use its options, such as ($count=true)`,
      );
    for (const item of parsed) {
      const { name } = item.navigation;
      if (items.has(name)) reader.fail('syntax', start.position, `'${name}' is expanded twice`);
      items.set(name, item);
    }
  } while (reader.takeSign(','));
  return [...items.values()];
}

function withoutOptions(navigation: Navigation): ExpandItem {
  return { navigation, query: emptyQuery(navigation.target()), options: {} };
}

function parseExpandItem(reader: TokenReader, model: EntityModel, depth: number): ExpandItem {
  const token = reader.expectWord('the name of what is to be expanded');
  refuseSpecial(reader, token);
  const navigation = navigationNamed(model, token.text);
  if (!navigation) {
    const names = model.navigation.map(({ name }) => name).join(', ') || 'nothing';
    return reader.fail(
      'unknown_name',
      token.position,
      `'${token.text}' cannot be expanded in ${model.name}; ${names} can`,
    );
  }
  if (!reader.takeSign('(')) return withoutOptions(navigation);
  const inner = parseInnerOptions(reader, navigation, depth);
  reader.expectSign(')');
  return { navigation, ...inner };
}

function parseInnerOptions(
  reader: TokenReader,
  navigation: Navigation,
  depth: number,
): Pick<ExpandItem, 'query' | 'options'> {
  const query = emptyQuery(navigation.target());
  const options: Record<string, string> = {};
  do {
    const token = reader.expectWord('an option, such as $select=');
    const name = innerName(reader, token, navigation);
    if (Object.hasOwn(options, `$${name}`)) reader.fail('syntax', token.position, `$${name} is given twice`);
    reader.expectSign('=');
    const start = reader.peek();
    parseOption(name, reader, query, depth + 1);
    options[`$${name}`] = reader.textSince(start);
  } while (reader.takeSign(';'));
  return { query, options };
}

function innerName(reader: TokenReader, { text, position }: Token, navigation: Navigation): string {
  const name = text.toLowerCase().replace(/^\$/, '');
  if (!SUPPORTED.includes(name) || name === 'skiptoken') {
    reader.fail('unsupported', position, `the option '${text}' is not supported in $expand`);
  }
  if (!navigation.many && name !== 'select' && name !== 'expand') {
    reader.fail(
      'wrong_type',
      position,
      `'${navigation.name}' leads to one row: only $select and $expand have a meaning`,
    );
  }
  return name;
}
