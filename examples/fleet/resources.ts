import { implementResource } from 'reeve/worker';
import { machines } from './fleet.js';

/** Stands for a cloud. */
export const resources = implementResource(machines, {
  boot: async ({ name }) => ({ address: `${name}.internal` }),
});
