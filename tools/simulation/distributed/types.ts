import { z } from 'zod';
import { defineDistributedOperation, operationTypes } from '../../../src/distributed/index.js';

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

export const TYPES = operationTypes(OPERATIONS);

/** Which of them may run together, as it is to be: the judge does not ask the code that it judges. */
export function togetherAllowed(one: string, other: string): boolean {
  return [
    ['build', 'check'],
    ['count', 'follow'],
  ].some((pair) => pair.includes(one) && pair.includes(other) && one !== other);
}

/** The types of which many instances run at once, told apart by their object. */
export const MANY: readonly string[] = ['build', 'check', 'follow'];
