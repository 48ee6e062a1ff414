/** All that programs and tests make of declarations, as a package exports it. */
import { Client } from '@temporalio/client';
import {
  allowedEvents,
  bundleWorkflows,
  checkModel,
  createWorker,
  describeEntity,
  dimensionsOf,
  implementResource,
  mermaidDiagram,
  ReeveClient,
  type EntityWorkerOptions,
} from 'reeve';
import { crashPoints, fakeResource, simulate, type Simulation } from 'reeve/simulation';
import { garden, plant } from './garden-actions.js';
import { entities, Plant, water } from './garden.js';

export const implemented = implementResource(water, { pour: async () => ({ left: 1 }), look: async () => ({}) });
export const fakes = fakeResource(water, { pour: () => ({ left: 1 }), look: () => ({}) });
export const start = (seed: number) => simulate([plant, garden], { seed, resources: [fakes] });
export const crash = () => crashPoints([plant, garden], { resources: () => [fakes] });
export const seen = (sim: Simulation) => sim.read(Plant, 'one');
export const picked = async (sim: Simulation) => sim.result(await sim.raise(Plant, 'one', 'pick'));
export const calls = (sim: Simulation) => sim.calls;
export const connected = () => new ReeveClient({ client: new Client(), entities });
export const planted = (reeve: ReeveClient) => reeve.create(Plant, 'one', 'plant', { garden: 'g' });
export const performed = (reeve: ReeveClient) => reeve.perform(Plant, 'one', 'plant', { garden: 'g' });
export const readings = async (reeve: ReeveClient) => ({
  read: await reeve.read({ type: 'Plant', key: 'one' }),
  explained: await reeve.explain({ type: 'Plant', key: 'one' }),
  allowed: await reeve.allowedEvents({ type: 'Plant', key: 'one' }),
});
export const operations = ({ operations: reader }: ReeveClient) => reader;
export const statusOf = (reeve: ReeveClient, id: string) => reeve.operations.status(id);
export const bundled = () => bundleWorkflows({ workflowsPath: '/garden-actions.js' });
export const working = (options: EntityWorkerOptions) => createWorker(options);
export const described = {
  entity: describeEntity(Plant),
  problems: checkModel(entities),
  drawn: mermaidDiagram(Plant),
};
export const allowed = allowedEvents;
export const dimensions = dimensionsOf;
