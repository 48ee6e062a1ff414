import { z } from 'zod';
import { defineDistributedOperation, type AnyDistributedOperation } from '../../../src/distributed/index.js';

const argument = z.object({ object: z.string() });
const schema = z.object({ done: z.number(), total: z.number() });

/** Types that differ in all that a type can say. */
export const OPERATIONS = [
  defineDistributedOperation('build', {
    argument,
    object: ({ object }) => object,
    on: 'primary',
    canFail: false,
    atOnce: 3,
    progress: { schema, kept: 'executor' },
    compatibleWith: ['check'],
  }),
  defineDistributedOperation('check', {
    argument,
    object: ({ object }) => object,
    on: 'any',
    canFail: true,
    whenOneFails: 'finish',
    atOnce: 2,
    progress: { schema, kept: 'transferable' },
    compatibleWith: ['build'],
  }),
  defineDistributedOperation('rewrite', {
    argument,
    on: 'primary',
    canFail: true,
    atOnce: 2,
    pause: 'lets it end',
    progress: { schema, kept: 'transferable' },
  }),
  defineDistributedOperation('count', {
    argument,
    on: 'primary',
    canFail: true,
    atOnce: 4,
    progress: { schema, kept: 'volatile' },
    compatibleWith: ['follow'],
  }),
  defineDistributedOperation('follow', {
    argument,
    object: ({ object }) => object,
    on: 'primary',
    canFail: false,
    progress: { schema, kept: 'executor' },
    compatibleWith: ['count'],
  }),
];

/** The types of one simulation, and which of them may run together, as it is to be: the judge does not ask the code that it judges. */
export interface JudgedTypes {
  readonly operations: readonly AnyDistributedOperation[];
  readonly together: readonly (readonly [string, string])[];
  /** The types of which many instances run at once, told apart by their object. */
  readonly many: readonly string[];
}

export const JUDGED: JudgedTypes = {
  operations: OPERATIONS,
  together: [
    ['build', 'check'],
    ['count', 'follow'],
  ],
  many: ['build', 'check', 'follow'],
};
