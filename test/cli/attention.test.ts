import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { attentionLines } from '../../src/cli/commands/attention.js';
import type { Attention } from '../../src/service/attention/attention-schema.js';

const now = Date.UTC(2026, 10, 21, 15);
const told = (more: Partial<Attention> = {}): Attention => ({
  ...{ at: new Date(now).toISOString(), items: [], partial: [], workers: null },
  ...more,
});
const shown = (attention: Attention) =>
  attentionLines(attention, { now, utc: true }).map((line) => stripVTControlCharacters(line));

it('what needs a person is said with since when, why and what to do; each remedy once (S5.3, S5.4)', () => {
  const concern = { kind: 'entity', operation: null, error: null } as const;
  const retry = { reason: 'exhausted', message: 'it has failed 4 times', what_to_do: "'reeve retry' runs it again." };
  const lines = shown(
    told({
      items: [
        {
          ...{ ...concern, ...retry, name: 'Box/a', state: 'Placing', since: '2026-11-21T14:03:21Z', operation: 'r1' },
          error: { code: 'shelf_full', message: 'no room' },
        },
        { ...concern, ...retry, name: 'Box/b', state: 'Placing', since: null },
      ],
    }),
  ).join('\n');
  expect(lines).toMatch(/14:03:21 +Box\/a +Placing +exhausted +it has failed 4 times shelf_full: no room +r1/);
  expect(lines.match(/'reeve retry' runs it again\./g)).toHaveLength(1);
});

it('nothing that needs a person is told from not having been able to ask (S5.4)', () => {
  expect(shown(told())).toEqual(['Nothing needs you.']);
  const [silent, worker, none] = shown(
    told({ partial: ['temporal'], workers: { task_queue: 'reeve', alive: 0, builds: [] } }),
  );
  expect(silent).toBe('Temporal could not be asked, so something may be missing.');
  expect(worker).toBe("No worker serves 'reeve'.");
  expect(none).toBe('Nothing needs you.');
});
