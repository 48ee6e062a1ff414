import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, stable } from '../../src/definition/index.js';
import { checkAgainst } from '../../src/protocol/carried.js';
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

describe('a union of which no form fits', () => {
  const rule = z.union([
    z.strictObject({ name: z.string(), first: z.ipv4(), last: z.ipv4() }),
    z.strictObject({ name: z.string(), cidr: z.cidrv4() }),
  ]);
  const told = (schema: z.ZodType, value: unknown) => {
    const checked = checkAgainst(schema, value, 'rule');
    return checked.valid ? [] : checked.issues.map(({ path, message }) => `${path}: ${message}`);
  };

  it('tells what is wrong with the one that comes nearest, at its place (S2.2)', () => {
    expect(told(rule, { name: 'office', cidr: 'none' })).toEqual(['rule.cidr: Invalid IPv4 range']);
  });

  it('tells it of each one where several come as near', () => {
    const either = z.union([z.number(), z.strictObject({ at: z.number() })]);
    expect(told(z.object({ limit: either }), { limit: 'x' })).toEqual([
      'rule.limit: Invalid input: expected number, received string, or Invalid input: expected object, received string',
    ]);
  });

  it('says what its author says of it', () => {
    expect(told(z.union([z.number(), z.boolean()], 'write a number'), 'x')).toEqual(['rule: write a number']);
  });
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
