import { describe, expect, it } from 'vitest';
import { ODataError } from '../../../src/service/odata/error.js';
import { parseQuery } from '../../../src/service/odata/query-parser.js';
import { OASIS_CASES } from './oasis-cases.js';
import { oasisModel } from './oasis-model.js';

type Case = (typeof OASIS_CASES)[number];

function options([form, input]: Case): Readonly<Record<string, string>> {
  if (form === 'expression') return { $orderby: input };
  if (form === 'literal') return { $filter: `null eq ${input}` };
  const pairs = input.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decodeURIComponent(name), decodeURIComponent(value.join('='))] as const;
  });
  return Object.fromEntries(pairs);
}

function outcome(given: Case): 'parsed' | ODataError {
  try {
    parseQuery(options(given), oasisModel);
    return 'parsed';
  } catch (thrown) {
    if (thrown instanceof ODataError) return thrown;
    throw thrown;
  }
}

describe("the standard's own grammar cases (S6.2)", () => {
  for (const given of OASIS_CASES) {
    const [form, input, expected] = given;
    it(`${form} ${input} is ${expected} (S6.2)`, () => {
      const found = outcome(given);
      if (expected === 'parsed') return expect(found).toBe('parsed');
      if (found === 'parsed') throw new Error('it was parsed');
      expect(found.message).toMatch(/^[^:]+ at \d+: \S/);
      if (expected !== 'invalid') expect(found.reason).toBe(expected);
    });
  }
});
