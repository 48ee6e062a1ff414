import { proxyActivities } from '@temporalio/workflow';
import { entityWorkflows } from 'reeve/workflows';
import { website } from './website.js';

const { shout } = proxyActivities<{ shout(text: string): Promise<string> }>({ startToCloseTimeout: '10s' });

/** A workflow of your own. */
export async function greet(name: string): Promise<string> {
  return shout(`hello ${name}`);
}

export default entityWorkflows(website);
