import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EVENT_BYTES } from '../../src/definition/limits.js';
import {
  defineDistributedOperation,
  newCoordinator,
  operationTypes,
  stepCoordinator,
  type Coordinator,
  type CoordinatorInput,
} from '../../src/distributed/index.js';
import { build, check, rewrite, schema } from './types.js';

const TYPES = operationTypes([build, check, rewrite]);

/** Gives a coordinator inputs, and collects what it answers and begins. */
function coordinated(...inputs: readonly CoordinatorInput[]) {
  let coordinator: Coordinator = newCoordinator('orders/items');
  const answers: unknown[] = [];
  const begun: string[] = [];
  for (const input of inputs) {
    const step = stepCoordinator(TYPES, coordinator, input);
    coordinator = step.coordinator;
    answers.push(step.answer?.kind === 'refused' ? step.answer.refusal.code : step.answer?.instance);
    begun.push(...step.begins.map(({ type, instance }) => `${type}/${instance}`));
  }
  return { coordinator, answers, begun };
}

let requests = 0;
const start = (type: string, argument: unknown = {}, request = `r${++requests}`): CoordinatorInput => ({
  ...{ kind: 'start', type, argument, request },
});
const ended = (type: string, instance: number, ...starts: { type: string; argument: unknown }[]): CoordinatorInput => ({
  ...{ kind: 'ended', type, instance, starts },
});

describe('the coordinator of a target', () => {
  it('issues ids in order for each type, also after instances have ended (I3)', () => {
    const { answers } = coordinated(
      start('build', { name: 'a' }),
      start('build', { name: 'b' }),
      start('check'),
      ended('build', 1),
      start('build', { name: 'a' }),
    );
    expect(answers).toEqual([1, 2, 1, undefined, 3]);
  });

  it('refuses an argument whose declaration throws, and one that is too large to be sent (S1.5a)', () => {
    const broken = defineDistributedOperation('broken', {
      argument: z.object({ text: z.string() }),
      ...({ on: 'primary', canFail: false, progress: { schema, kept: 'executor' } } as const),
      object: () => {
        throw new TypeError('a mistake');
      },
    });
    const { answer } = stepCoordinator(operationTypes([broken]), newCoordinator('t/i'), start('broken', { text: 'x' }));
    expect(answer).toMatchObject({
      refusal: { code: 'invalid_argument', message: expect.stringContaining('TypeError: a mistake') },
    });
    const { answers } = coordinated(start('build', { name: 'x'.repeat(EVENT_BYTES) }));
    expect(answers).toEqual(['invalid_argument']);
  });

  it('gives the next number where one is that of an instance of long ago (I3)', () => {
    const { answers, coordinator } = coordinated(
      start('build', { name: 'a' }, 'one'),
      { kind: 'taken', type: 'build', instance: 1 },
      start('build', { name: 'a' }, 'one'),
      start('build', { name: 'b' }),
    );
    expect(answers).toEqual([1, 2, 2, 3]);
    expect(coordinator.running.map(({ instance }) => instance)).toEqual([2, 3]);
  });

  it('keeps away what may not run beside what it has found (I4)', () => {
    const { answers } = coordinated(
      { kind: 'found', running: [{ type: 'build', object: 'a', instance: 7 }] },
      start('rewrite'),
      start('build', { name: 'a' }),
      start('build', { name: 'b' }),
    );
    expect(answers).toEqual([undefined, 'incompatible_operation', 'incompatible_operation', 8]);
  });

  it('keeps what a completion could not start (I6)', () => {
    const { coordinator } = coordinated(
      start('check'),
      start('build', { name: 'a' }),
      ended('check', 1, { type: 'rewrite', argument: {} }),
    );
    expect(coordinator.refused).toMatchObject([{ by: 'check/1', type: 'rewrite', code: 'incompatible_operation' }]);
  });

  it('refuses what is not registered, or has a bad argument, with what is wrong (I8)', () => {
    const { answers, coordinator } = coordinated(start('vacuum'), start('build', { name: '' }), start('build', 7));
    expect(answers).toEqual(['unknown_operation_type', 'invalid_argument', 'invalid_argument']);
    expect(coordinator).toEqual(newCoordinator('orders/items'));
    const { answer } = stepCoordinator(TYPES, coordinator, start('vacuum'));
    expect(answer).toMatchObject({ refusal: { message: expect.stringContaining('build, check, rewrite') } });
  });

  it('refuses what may not run beside what runs, and names that (I4)', () => {
    const { answers, coordinator } = coordinated(
      start('build', { name: 'a' }),
      start('build', { name: 'a' }),
      start('rewrite'),
      start('check'),
      start('check'),
    );
    expect(answers).toEqual([1, 'incompatible_operation', 'incompatible_operation', 1, 'incompatible_operation']);
    const { answer } = stepCoordinator(TYPES, coordinator, start('rewrite'));
    expect(answer).toMatchObject({
      refusal: {
        running: { type: 'build', object: 'a', instance: 1 },
        message: expect.stringContaining("'build' of 'a', instance 1"),
      },
    });
  });

  it('counts instances: while one of a type runs, the other one has not freed its place (I4)', () => {
    const { answers } = coordinated(
      start('build', { name: 'a' }),
      start('build', { name: 'b' }),
      ended('build', 2),
      start('rewrite'),
      ended('build', 1),
      start('rewrite'),
    );
    expect(answers).toEqual([1, 2, undefined, 'incompatible_operation', undefined, 1]);
  });

  it('gives a request that comes again its first answer (I8)', () => {
    const { answers, begun } = coordinated(
      start('check', {}, 'same'),
      start('check', {}, 'same'),
      ended('check', 1),
      start('check', {}, 'same'),
    );
    expect(answers).toEqual([1, 1, undefined, 1]);
    expect(begun).toEqual(['check/1']);
  });

  it('refuses a request id that was used with other content, whatever that is (S2.5, I8)', () => {
    const first = start('build', { name: 'a' }, 'same');
    const others = [
      start('build', { name: 'b' }, 'same'),
      start('build', { name: '' }, 'same'),
      start('check', {}, 'same'),
      start('vacuum', {}, 'same'),
      { ...first, partitions: '0-3' },
      { ...first, atOnce: 3 },
    ] as readonly CoordinatorInput[];
    const { answers, begun, coordinator } = coordinated(first, ...others, ended('build', 1), ...others, first);
    const conflicts = others.map(() => 'request_conflict');
    expect(answers).toEqual([1, ...conflicts, undefined, ...conflicts, 1]);
    expect(begun).toEqual(['build/1']);
    const { answer } = stepCoordinator(TYPES, coordinator, others[0]!);
    expect(answer).toMatchObject({
      refusal: { message: "The request id 'same' has been used for another start. Use a new request id." },
    });
  });

  it('knows the last ten thousand requests of a target in 128 KB (S2.5)', () => {
    const one = (number: number) => start(number % 7 === 0 ? 'check' : 'build', { name: `n${number}` }, `id ${number}`);
    let coordinator = newCoordinator('orders/items');
    const told: unknown[] = [];
    for (let number = 1; number <= 12_000; number++) {
      const step = stepCoordinator(TYPES, coordinator, one(number));
      const { type, instance } = step.begins[0]!;
      told.push(instance);
      coordinator = stepCoordinator(TYPES, step.coordinator, { kind: 'ended', type, instance, starts: [] }).coordinator;
    }
    expect(JSON.stringify(coordinator).length).toBeLessThan(128 * 1_024);
    for (const number of [12_000, 11_998, 9_000, 4_001]) {
      const again = stepCoordinator(TYPES, coordinator, one(number));
      expect(again.answer).toEqual({ kind: 'started', instance: told[number - 1] });
      const other = stepCoordinator(TYPES, coordinator, start('rewrite', {}, `id ${number}`));
      expect(other.answer).toMatchObject({ refusal: { code: 'request_conflict' } });
    }
  });

  it('starts what a completion starts in the step in which its instance leaves, once (I6)', () => {
    const { begun, coordinator } = coordinated(
      start('rewrite'),
      ended('rewrite', 1, { type: 'check', argument: {} }),
      ended('rewrite', 1, { type: 'check', argument: {} }),
    );
    expect(begun).toEqual(['rewrite/1', 'check/1']);
    expect(coordinator.running).toEqual([{ type: 'check', instance: 1 }]);
  });
});

describe('a type of distributed operation (I8)', () => {
  it('is registered once', () => {
    expect(() => operationTypes([build, build, check])).toThrow('build: Two types have this id.');
  });

  it('is compatible only with what is compatible with it (I4)', () => {
    const bold = defineDistributedOperation('bold', { ...rewrite, compatibleWith: ['check'] });
    expect(() => operationTypes([build, check, bold])).toThrow(
      "Add 'bold' to compatibleWith of 'check', or leave 'check' out.",
    );
  });

  it('is refused with all that is wrong in its declaration', () => {
    const declare = () =>
      defineDistributedOperation('Build it', { ...rewrite, atOnce: 0, compatibleWith: ['Build it'] });
    expect(declare).toThrow('The declaration of Build it has 3 mistakes:');
  });

  // The workflow of an instance with more than 2,000 activities under way would do nothing any more.
  it('takes no more jobs at once than a workflow can have under way', () => {
    expect(() => defineDistributedOperation('rewrite', { ...rewrite, atOnce: 1_001 })).toThrow(
      'Write a whole number from 1 to 1000.',
    );
    expect(defineDistributedOperation('rewrite', { ...rewrite, atOnce: 1_000 })).toMatchObject({ type: 'rewrite' });
  });
});
