import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, stable } from '../../src/definition/index.js';
import { checkKey } from '../../src/kernel/rules/construction.js';
import { Puppet } from '../support/entities.js';

const broken = (when: string) =>
  z.string().refine((value) => {
    if (value === when) throw new TypeError('the refinement has a mistake');
    return true;
  });

const Fragile = defineEntity('Fragile', {
  key: broken('bad-key'),
  properties: z.object({ label: broken('bad-property').default('') }),
  states: {
    Whole: initial(),
    Named: stable({ constraint: z.object({ properties: z.object({ label: broken('bad-constraint') }) }) }),
  },
  events: {
    name: { params: z.object({ label: broken('bad-parameter') }), in: ['Whole', 'Named'] },
    clear: { in: 'Named' },
  },
  actions: {
    name: { on: 'name', in: ['Whole', 'Named'], to: 'Named' },
    clear: { on: 'clear', in: 'Named', to: 'Whole' },
  },
});

describe('a schema that throws', () => {
  it('rejects parameters and keys like any that are not right (S2.2)', () => {
    const puppet = new Puppet(Fragile);
    expect(puppet.raise('name', { label: 'bad-parameter' })).toMatchObject({
      status: 'rejected',
      rejection: { code: 'invalid_parameters', message: expect.stringContaining('the refinement has a mistake') },
    });
    const refusal = checkKey(Fragile, { type: 'Fragile', key: 'bad-key' }, 'name');
    expect(refusal?.rejection).toMatchObject({ code: 'invalid_key', message: expect.stringContaining('TypeError') });
  });

  it.each(['bad-property', 'bad-constraint'])(
    'makes a failed action of the commit that meets it: %s (S1.6, S3.2)',
    (label) => {
      const puppet = new Puppet(Fragile);
      puppet.raise('name', { label });
      puppet.end('Named', { properties: { label } });
      expect(puppet.snapshot).toMatchObject({ state: 'Whole', properties: { label: '' } });
      expect(puppet.snapshot.lastError).toMatchObject({
        kind: 'defect',
        code: 'constraint_violated',
        message: expect.stringContaining('the refinement has a mistake'),
      });
    },
  );
});
