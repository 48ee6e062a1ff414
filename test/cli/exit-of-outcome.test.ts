import { expect, it } from 'vitest';
import { exitOf } from '../../src/cli/take.js';

const rejection = { code: 'not_ready', message: 'Wait until it is ready.' };

it.each([
  ['success', null, 'success', 0],
  ['failed', null, 'success', 1],
  ['canceled', null, 'success', 1],
  ['failed', rejection, 'success', 2],
  ['canceled', null, 'canceled', 0],
  ['success', null, 'canceled', 1],
  ['failed', null, 'canceled', 1],
  ['failed', rejection, 'canceled', 2],
] as const)(
  'an operation that ended as %s, with rejection %o, where %s is wanted, gives exit code %i (S4.7)',
  (...row) => {
    const [outcome, refused, wanted, code] = row;
    expect(exitOf({ outcome, rejection: refused }, wanted)).toBe(code);
  },
);
