import type { Client } from '@temporalio/client';
import { step, STEPS, type errand } from './errand.js';

/** Runs an errand to its end, step by step. */
export async function runErrand({ workflow }: Client, taskQueue: string, workflowId: string): Promise<void> {
  const handle = await workflow.start<typeof errand>('errand', { workflowId, taskQueue });
  for (let done = 0; done < STEPS; done++) await handle.executeUpdate(step);
  await handle.result();
}
