import { condition } from '@temporalio/workflow';

/** Waits for ever. */
export async function waiting(): Promise<void> {
  await condition(() => false);
}

/** Fails where nobody looks. */
export async function careless(): Promise<void> {
  void Promise.resolve().then(() => {
    throw new Error('nobody looks');
  });
  await condition(() => false);
}
