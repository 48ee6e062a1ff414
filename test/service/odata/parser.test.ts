import { describe, expect, it } from 'vitest';
import { ODataError, parseQuery, type EntityModel } from '../../../src/service/odata/index.js';
import { things } from './things.js';

function error(options: Readonly<Record<string, string>> | URLSearchParams, model: EntityModel = things): ODataError {
  try {
    parseQuery(options, model);
  } catch (thrown) {
    if (thrown instanceof ODataError) return thrown;
    throw thrown;
  }
  throw new Error('it was parsed');
}

const message = (option: string, value: string) => error({ [option]: value }).message;
const filter = (text: string) => parseQuery({ $filter: text }, things).filter;

describe('a mistake is told with its place and a remedy', () => {
  it.each([
    [
      '$filter',
      "geo.distance(name,'x') gt 1",
      "$filter, character 1: the function 'geo.distance' is not supported; the supported ones are contains",
    ],
    ['$filter', 'size gt 1 and nam eq 2', "$filter, character 15: there is no 'nam' in things; there are id, name"],
    ['$filter', 'properties/prt eq 2', "$filter, character 12: there is no 'prt'; there are port"],
    ['$filter', 'size/port eq 2', "$filter, character 6: there is no 'port': what stands before it has no properties"],
    [
      '$filter',
      "size eq '1'",
      '$filter, character 6: a string cannot be compared with an integer; write it without quotes',
    ],
    ['$filter', "outcome eq 'fine'", "$filter, character 9: 'fine' is not one of 'success', 'failed', 'hung'"],
    ['$filter', 'name', '$filter, character 1: this is a string, not a condition'],
    ['$filter', 'not size eq 1', '$filter, character 1: this is an integer, not a condition'],
    ['$filter', "name eq'x'", "$filter, character 6: 'x' stands where an operator should be"],
    ['$filter', 'size eq(1)', "$filter, character 6: 'eq' needs a space before and after it"],
    ['$filter', "name eq 'x", '$filter, character 9: the string has no end'],
    ['$filter', 'length(name,1) eq 1', "$filter, character 1: 'length' takes 1 operands, not 2"],
    ['$filter', 'length(size) eq 1', "$filter, character 8: 'length' takes a string here, not an integer"],
    ['$filter', 'parts eq null', "$filter, character 1: 'parts' leads to a collection"],
    ['$filter', 'parts/any(p:p/any(q:true))', "$filter, character 15: there is no 'any' in parts"],
    ['$filter', 'parts/any(p:p/owner/parts/any(p:true))', "$filter, character 31: 'p' already names the variable"],
    ['$filter', 'started gt 2024-02-31', '$filter, character 12: 2024-02-31 is not a day of the calendar'],
    ['$filter', 'outcome gt null', "$filter, character 9: 'gt' has no meaning for one of some names"],
    ['$filter', 'constructor eq 1', "$filter, character 1: there is no 'constructor'"],
    ['$filter', 'name eq \0', '$filter, character 9: the character U+0000 cannot be used'],
    ['$orderby', 'properties', '$orderby, character 1: rows cannot be ordered by an object'],
    ['$orderby', 'name down', "$orderby, character 6: 'down' stands where the end should be"],
    ['$select', 'name,parts', "$select, character 6: 'parts' leads to other rows; use $expand"],
    ['$expand', 'name', "$expand, character 1: 'name' cannot be expanded in things; parts can"],
    ['$expand', 'parts($filter=sizes gt 1)', "$expand, character 15: there is no 'sizes' in parts"],
    ['$expand', 'parts($expand=owner($top=1))', "$expand, character 21: 'owner' leads to one row"],
    ['$top', '-1', "$top, character 1: '-1' stands where a whole number should be"],
    ['$count', 'yes', "$count, character 1: 'yes' stands where 'true' or 'false' should be"],
    ['$apply', 'aggregate(size)', '$apply, character 1: the option is not supported'],
  ])('%s=%s (S6.2)', (option, value, expected) => {
    expect(message(option, value).slice(0, expected.length)).toBe(expected);
  });

  it('an option that is given twice is not read at all (S6.2)', () => {
    expect(error(new URLSearchParams('$top=1&top=2')).message).toBe('$top, character 1: it is given twice');
  });
});

describe('operators bind as the standard says', () => {
  it.each([
    ['flag or flag and size gt 1', 'flag or (flag and (size gt 1))'],
    ['size add 2 mul 3 eq 7', '(size add (2 mul 3)) eq 7'],
    ['size sub 1 sub 1 eq 0', '((size sub 1) sub 1) eq 0'],
    ['not flag and flag', '(not flag) and flag'],
    ['not size in (1,2)', 'not (size in (1,2))'],
    ['size gt 1 eq flag', '(size gt 1) eq flag'],
    ['-size add 1 eq 0', '(-size) add 1 eq 0'],
    ["contains(name,'a') EQ true AND size LT 1", "(contains(name,'a') eq true) and (size lt 1)"],
  ])('%s is %s (S6.2)', (short, long) => {
    expect(filter(short)).toEqual(filter(long));
    expect(filter(short)).toBeDefined();
  });
});

describe('a text', () => {
  it.each(["parts/any(p:p/name eq 'p')", "parts/any(p:contains('p',p/name))"])(
    'may be the same as the name of a variable: %s (S6.2)',
    (text) => {
      expect(JSON.stringify(filter(text))).toContain('"value":"p"');
    },
  );
});

describe('what is too much is refused before any work', () => {
  it.each([
    ['an expression that is too long', `name eq '${'x'.repeat(9_000)}'`],
    ['parentheses that are too deep', `${'('.repeat(3_000)}flag${')'.repeat(3_000)}`],
    ['prefix operators that are too many', `${'not '.repeat(2_000)}flag`],
    ['negations that are too many', `${'-'.repeat(3_000)}size eq 1`],
    ['functions that are too deep', `${'trim('.repeat(1_000)}name${')'.repeat(1_000)} eq name`],
    ['a chain that is too long', Array.from({ length: 900 }, () => 'flag').join(' or ')],
    ['a list that is too long', `size in (${Array.from({ length: 201 }, (_, index) => index).join(',')})`],
    ['a number that is too large', `size lt 1e${'9'.repeat(20)}`],
    ['a duration that is too long', "now() sub started gt duration'P999999999D'"],
  ])('%s (S6.2)', (_, text) => {
    expect(error({ $filter: text }).reason).toBe('limit');
  });

  it('expansions that are too deep, orders that are too long, and numbers that are not exact (S6.2)', () => {
    const circle = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? 'parts' : 'owner'));
    const deep = `${circle.join('($expand=')}${')'.repeat(5)}`;
    expect(error({ $expand: deep }).reason).toBe('limit');
    expect(error({ $orderby: Array.from({ length: 17 }, () => 'size').join(',') }).reason).toBe('limit');
    expect(error({ $top: '99999999999999999999' }).reason).toBe('limit');
  });

  it('takes the time of its length only, whatever it holds (S6.2)', () => {
    const hostile = ["''".repeat(4_000), "'".repeat(8_191), 'a.'.repeat(4_000), '1'.repeat(8_000), '('.repeat(8_000)];
    const startedAt = performance.now();
    for (const text of hostile) expect(error({ $filter: text })).toBeInstanceOf(ODataError);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('names of options', () => {
  it('come in any case and without $; those of the service are left alone, and no others taken (S6.2)', () => {
    const options = new URLSearchParams('$Filter=flag&top=2&SKIP=1&count=true&wait=30&$format=json');
    const query = parseQuery(options, things, ['wait', '$format']);
    expect(error(options).message).toMatch(/^wait, character 1: the option is not supported; .* \$top/);
    expect(query).toMatchObject({ top: 2, skip: 1, count: true });
    expect(query.filter).toEqual(filter('flag'));
  });
});
