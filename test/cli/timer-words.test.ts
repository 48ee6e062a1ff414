import { expect, it } from 'vitest';
import { waitLines } from '../../src/cli/explanation/wait-words.js';
import type { Wait } from '../../src/kernel/index.js';

const NOW = Date.UTC(2026, 0, 1);
const said = (rhythm: Partial<Extract<Wait, { kind: 'timer' }>>) =>
  waitLines({ kind: 'timer', timer: 'morning', event: 'ring', at: NOW + 3_600_000, ...rhythm }, NOW).join('\n');

it('a timer is explained with its next tick, and with its period or calendar in words (S4.5, S5.4)', () => {
  expect(said({ calendar: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' } })).toMatch(
    /raises ring .*\(morning, every day at 03:00 in Europe\/Berlin\)/,
  );
  expect(said({ period: 3_600_000 })).toMatch(/raises ring .*\(morning, each 1h\)/);
});
