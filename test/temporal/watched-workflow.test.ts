import { describe, expect, it } from 'vitest';
import type { SdkWorkflow, WatchedThread } from '../../src/temporal/watch/watched-thread.js';
import { WatchedWorkflow } from '../../src/temporal/watch/watched-workflow.js';

const ENDED = 'The thread of workflow code was ended.';

/** A workflow whose thread ends, by the code of another one, while it is asked for what `made` does not give. */
function inEndingThread(made: Partial<SdkWorkflow>): WatchedWorkflow {
  const thread: { ending?: Promise<void> } = {};
  const ends = async (): Promise<never> => {
    thread.ending = Promise.resolve();
    throw new Error('Workflow Worker Thread exited while there were still pending completions');
  };
  const host = { activating: () => {}, activated: () => {}, ended: () => ENDED, disposed: () => {} };
  const whole = { activate: ends, getAndResetSinkCalls: ends, dispose: async () => {}, ...made };
  return new WatchedWorkflow(thread as WatchedThread, whole, host);
}

describe('WatchedWorkflow', () => {
  it('fails the task when its thread ends meanwhile, instead of ending the worker (S4.1)', async () => {
    await expect(inEndingThread({}).activate({})).rejects.toThrow(ENDED);
  });

  it('fails the task also when its thread ends after its code has run, so that its calls of sinks are made again (S4.1)', async () => {
    const workflow = inEndingThread({ activate: async () => ({}) });
    await workflow.activate({});
    await expect(workflow.getAndResetSinkCalls()).rejects.toThrow(ENDED);
  });
});
