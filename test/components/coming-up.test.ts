import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  component,
  compound,
  counterAction,
  delay,
  doNothing,
  during,
  fail,
  parallel,
  randomSequence,
  ref,
  repeat,
  retry,
  run,
  sequence,
  timeout,
  tryThen,
  type Description,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial, trial } from './trial.js';

const forever = doNothing({ terminationType: 'none' });

describe('a component that stands for others (W1)', () => {
  /** Its time is negative, so it cannot be deployed. */
  const undeployable = () => delay({ time: -1 });
  const Broken = component('Broken', { start: async () => Promise.reject(new Error('no way')) });
  const Work = component('Work', { start: async (self) => void (await self.call(resource.remove, { file: 'x' })) });
  const own = [Broken, Work];
  const answers = { 'files.remove': () => done() };
  const containers: readonly [string, (action: Description) => Description][] = [
    ['a sequence', (action) => sequence({ a: action })],
    ['a random sequence', (action) => randomSequence({ a: action })],
    ['a compound', (action) => compound({ a: action })],
    ['a parallel in step', (action) => parallel({ a: action })],
    ['a parallel', (action) => parallel({ a: action }, { asynchCreateChild: true })],
    ['a retry', (action) => retry({ action, retry: 0 })],
    ['a repeat', (action) => repeat({ action })],
    ['during', (action) => during({ action, time: '1m' })],
    ['a timeout', (action) => timeout({ action, time: '1m' })],
    ['a counteraction', (action) => counterAction({ action })],
    ['a tree of them', (action) => sequence({ a: parallel({ b: during({ action, time: -1 }) }) })],
  ];

  it.each(containers)('is not up while its child is not: %s', async (_, around) => {
    for (const child of [undeployable(), Broken()]) {
      const ran = await trial(around(child), { components: own });
      expect(ran.seen(' /: up')).toEqual([]);
      expect(ran.end).toMatchObject({ type: 'abnormal', undeployed: true });
    }
  });

  it('has not failed to deploy where it was up, or was to end', async () => {
    const wasUp = await trial(sequence({ a: delay({ time: 5 }), b: undeployable() }), { components: own });
    expect(wasUp.end).toMatchObject({ type: 'abnormal' });
    const slow = { components: own, answers: { 'files.remove': () => ({ after: 10, result: failed('no_room') }) } };
    const wasEnded = await new Trial(sequence({ a: Work() }), slow).run(5);
    await wasEnded.tell({ kind: 'terminate', path: '', end: { type: 'normal', description: 'enough' } });
    await wasEnded.go();
    expect(wasEnded.end).toMatchObject({ type: 'normal', description: 'enough' });
    for (const { end } of [wasUp, wasEnded]) expect(end).not.toHaveProperty('undeployed');
  });

  it('is up where it goes on without the child that is not', async () => {
    for (const goesOn of [
      tryThen({ action: Broken(), abnormal: forever }),
      parallel({ a: Broken(), b: forever }, { asynchCreateChild: true, terminateOnAbnormalChildDeploy: false }),
    ]) {
      const ran = await new Trial(goesOn, { components: own }).run(0);
      expect(ran.seen(' /: up')).toEqual(['0 /: up']);
    }
  });

  it('starts none of those that are deployed together where one cannot be deployed', async () => {
    for (const around of [parallel, compound]) {
      const ran = await trial(around({ a: Work(), b: sequence({ c: Work() }), d: undeployable() }), {
        components: own,
        answers,
      });
      expect(ran.calls()).toEqual([]);
      expect(ran.end).toMatchObject({ type: 'abnormal' });
    }
  });

  it('reads what is given by reference when it is deployed, as far as that is there', async () => {
    const wrong = [
      retry({ action: Work(), retry: ref('../count') }),
      repeat({ action: Work(), repeat: ref('../count') }),
    ];
    for (const action of wrong) {
      const Holder = component('Holder', { attributes: z.object({ count: z.int() }), deploys: () => action });
      const ran = await trial(Holder({ count: -5 }), { components: [...own, Holder], answers });
      expect(ran.calls()).toEqual([]);
      expect(ran.end).toMatchObject({ type: 'abnormal', description: expect.stringMatching(/write/) });
    }
  });

  it('ends a sequence with children whatever sfShouldTerminate says', async () => {
    const ran = await trial(sequence({ a: delay({ time: 5 }) }, { sfShouldTerminate: false }));
    expect(ran.end).toMatchObject({ type: 'normal', component: 'a' });
  });

  it('ends quietly, and leaves, also where it is empty', async () => {
    const empty = { terminateOnEmptyDeploy: true, sfShouldTerminate: false };
    const quiet = await trial(compound({ a: parallel({}, { ...empty, sfShouldTerminateQuietly: true }), b: forever }));
    expect(quiet.seen(' a: ended')).toHaveLength(1);
    expect(quiet.end).toBeUndefined();
    expect((await trial(parallel({}, empty))).end).toMatchObject({ type: 'normal' });
  });

  it('has no two children of one name, whoever starts them', async () => {
    const add = (asName: string) => run({ action: forever, parent: ref('..'), asName });
    const inSequence = await trial(sequence({ a: add('b'), b: forever }));
    expect(inSequence.end).toMatchObject({ type: 'abnormal', description: expect.stringMatching(/will have/) });
    const inRandom = await trial(randomSequence({ a: add('b'), b: add('a') }));
    expect(inRandom.end).toMatchObject({ type: 'abnormal', description: expect.stringMatching(/will have/) });
    const taken = run({ action: delay({ time: '1m' }), parent: ref('../retry'), asName: 'running_1' });
    const steps = parallel({ retry: retry({ retry: 3, action: fail() }), taken });
    expect((await trial(steps)).end).toMatchObject({ type: 'abnormal' });
  });
});
