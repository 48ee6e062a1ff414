import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { implementResource } from '../../src/temporal/resources.js';
import { crowd, Survey } from '../entities/survey.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
/** Those who are glanced at, and say nothing until the tests are over. */
let letGo: () => void;
const silent = new Promise<void>((resolve) => (letGo = resolve));

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/survey-workflows.ts',
    declarations: ['entities/survey.ts'],
    entities: [Survey],
    resources: [
      implementResource(crowd, {
        write: { ask: async () => undefined, withdraw: async () => undefined },
        phone: async ({ part }) => ({ said: part }),
        glance: async ({ part }) => {
          if (part === 0) await silent;
          return { said: part };
        },
      }),
    ],
  });
});
afterAll(async () => {
  letGo();
  await service.close();
});

/** Gives what came of each part. Each that is 0 never answers. */
async function collected(
  key: string,
  parts: readonly { readonly way: string; readonly part: number }[],
  until: unknown,
) {
  await service.reeve.operations.result(await service.reeve.create(Survey, key, 'open'));
  const params = { parts, until, within: 1_000 } as never;
  const { outcome } = await service.reeve.operations.result(await service.reeve.raise(Survey, key, 'collect', params));
  expect(outcome).toBe('success');
  return (await service.reeve.read({ type: 'Survey', key })).snapshot.properties;
}

describe('a collector of calls that are made inline (A3, collecting.3)', () => {
  it('ends in its time, whatever they do', async () => {
    const parts = [0, 1, 0].map((part) => ({ way: 'glance', part }));
    expect(await collected('inline', parts, 'all')).toMatchObject({
      heard: ['call_timed_out', 1, 'call_timed_out'],
      answers: 0,
    });
  });

  it('keeps what has come by then, where it takes what comes within its time', async () => {
    const parts = [2, 0].map((part) => ({ way: 'glance', part }));
    expect(await collected('kept', parts, 'deadline')).toMatchObject({ heard: [2, 'call_timed_out'], answers: 1 });
  });

  // Temporal hears of the others when the inline ones have ended.
  it('ends in its time beside calls that are made otherwise', async () => {
    const parts = [
      { way: 'glance', part: 0 },
      { way: 'phone', part: 4 },
      { way: 'write', part: 5 },
    ];
    expect(await collected('mixed', parts, 'all')).toMatchObject({
      heard: ['call_timed_out', 'call_timed_out', 'call_timed_out'],
    });
  });

  it('is decided without them, where enough others have answered', async () => {
    const parts = [0, 3].map((part) => ({ way: 'glance', part }));
    expect(await collected('first', parts, 'first')).toMatchObject({ heard: ['superseded', 3], answers: 1 });
  });
});
