import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** How many steps an errand has, each a task of its own. */
export const STEPS = 4;

export const step = defineUpdate<number>('step');

/** A workflow that knows nothing of Reeve. */
export async function errand(): Promise<number> {
  let done = 0;
  setHandler(step, () => ++done);
  await condition(() => done === STEPS && allHandlersFinished());
  return done;
}
