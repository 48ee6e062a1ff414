import { proxyActivities } from '@temporalio/workflow';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { box, room } from './workflows.js';

const { shout } = proxyActivities<{ shout(text: string): Promise<string> }>({ startToCloseTimeout: '10s' });

/** A workflow that knows nothing of Reeve. */
export async function greet(name: string): Promise<string> {
  return shout(`hello ${name}`);
}

export default entityWorkflows(box, room);
