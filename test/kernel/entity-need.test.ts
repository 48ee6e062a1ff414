import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, stable } from '../../src/definition/index.js';
import { needOf } from '../../src/kernel/explain/need.js';
import { Puppet } from '../support/entities.js';

const Lamp = defineEntity('Lamp', {
  key: z.string(),
  properties: z.object({}),
  states: { Lit: initial(stable()), Failed: stable({ health: 'error' }) },
  events: { fail: { in: 'Lit' }, mend: { in: 'Failed' } },
  actions: { fail: { on: 'fail', in: 'Lit', to: 'Failed' }, mend: { on: 'mend', in: 'Failed', to: 'Lit' } },
});
const failed = { ...new Puppet(Lamp, 'hall').snapshot, state: 'Failed', enteredAt: 7 };

describe('an entity that rests in an error state (S5.4)', () => {
  it('names its own failure (need.1)', () => {
    const error = { kind: 'needs_operator', code: 'no_bulb', message: 'There is no bulb.' } as const;
    const operation = { id: 'op-1', open: false, position: '1' };
    expect(needOf(Lamp, { ...failed, operation, failure: { ...error, at: 7, operation: 'op-1' } })).toEqual({
      ...{ since: 7, reason: 'error_state', message: 'it is in the error state Failed', error },
    });
  });

  it('names the operation that led it there, where it has no failure of its own (need.1)', () => {
    expect(needOf(Lamp, { ...failed, operation: { id: 'op-1', open: false, position: '1' } })).toEqual({
      ...{ since: 7, reason: 'error_state', message: 'it is in the error state Failed', operation: 'op-1' },
    });
  });
});
