import { expect, it } from 'vitest';
import type { ListedEvent } from '../../src/cli/list/event-columns.js';
import { exceptionLines } from '../../src/cli/list/exception-lines.js';

it('an exception is shown with the places in the code of the entity, and not in that of others (S5.1)', () => {
  const named = { state_machine_type: 'Invoice', keys: 'a', event: 'issue' };
  const details = [
    "TypeError: Cannot read properties of undefined (reading 'x')",
    '    at issue (src/invoice/actions.ts:8:82)',
    '    at step (node_modules/reeve/dist/src/kernel/run/runner.js:1:1)',
    '    at async new Promise (<anonymous>)',
  ].join('\n');
  const events = [
    { ...named, exception_details: details },
    { ...named, exception_details: null },
  ];
  expect(exceptionLines(events as ListedEvent[])).toEqual([
    "  Invoice/a, issue: TypeError: Cannot read properties of undefined (reading 'x')",
    '    at issue (src/invoice/actions.ts:8:82)',
  ]);
});
