import { proxyActivities } from '@temporalio/workflow';
import { entityWorkflows, proxyEntities, rejectionOf } from 'reeve/workflows';
import type * as activities from './activities.js';
import { Seat, seat } from './seat.js';

const { pay } = proxyActivities<typeof activities>({ startToCloseTimeout: '10s', retry: { maximumAttempts: 3 } });
const entities = proxyEntities();

/** A workflow of yours. A seat is an entity, so it has one customer, however many of these workflows run. */
export async function buy(customer: string, key: string): Promise<string> {
  try {
    await entities.create(Seat, key, 'hold', { customer }); // or raises the event, if the seat exists
  } catch (thrown) {
    const rejected = rejectionOf(thrown);
    if (rejected?.code === 'taken') return `${customer} has no seat: ${rejected.message}`;
    throw thrown;
  }
  try {
    const receipt = await pay(customer);
    await entities.perform(Seat, key, 'sell');
    return `${customer} has seat ${key}, ${receipt}`;
  } catch (thrown) {
    await entities.perform(Seat, key, 'release');
    throw thrown;
  }
}

/** This line adds the entities to your workflows. */
export default entityWorkflows(seat);
