import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import { entityWorkflows, proxyEntities } from 'reeve/workflows';
import { Website, website } from './website.js';

const { announce } = proxyActivities<{ announce(text: string): Promise<string> }>({ startToCloseTimeout: '10s' });
const entities = proxyEntities();

/** A workflow of your own, which creates an entity and waits until everything that this causes has settled. */
export async function launch(name: string): Promise<string> {
  const { outcome } = await entities.result(await entities.create(Website, name, 'create'));
  if (outcome !== 'success') throw ApplicationFailure.nonRetryable(`the website ${name}: ${outcome}`);
  return announce(`${name} is live`);
}

export default entityWorkflows(website);
