import { describe, expect, it } from 'vitest';
import { ODataError } from '../../../src/service/odata/error.js';
import { parseQuery } from '../../../src/service/odata/query-parser.js';
import { GRAMMAR, type Form } from './grammar-cases.js';
import { things } from './things.js';

function options(form: Form, input: string): Readonly<Record<string, string>> {
  if (form === 'expr') return { $orderby: input };
  return form === 'literal' ? { $filter: `null eq ${input}` } : { [form]: input };
}

function outcome(form: Form, input: string): 'parsed' | ODataError {
  try {
    parseQuery(options(form, input), things);
    return 'parsed';
  } catch (thrown) {
    if (thrown instanceof ODataError) return thrown;
    throw thrown;
  }
}

describe('the grammar, rule by rule (S6.2)', () => {
  for (const [rule, form, cases] of GRAMMAR) {
    it(`${rule} (S6.2)`, () => {
      for (const [expected, inputs] of Object.entries(cases)) {
        for (const input of inputs) {
          const found = outcome(form, input);
          expect(found === 'parsed' ? found : found.reason, `${form} ${input}`).toBe(expected);
          if (found !== 'parsed') expect(found.message).toMatch(/^[^:]+, character \d+: \S/);
        }
      }
    });
  }
});
