import { always, maybe } from './column.js';
import { table } from './view.js';

/** Trees of components that run on their own, as they last told the store. W1 */
export const deployments = {
  name: 'deployments',
  columns: {
    start_time: always('time', 'd.started_at'),
    life: always('text', 'd.life'),
    name: always('text', 'd.name'),
    component: always('text', 'd.component'),
    // The phase of its root, and since when.
    phase: always('text', 'd.phase'),
    phase_time: always('time', 'd.since'),
    end_time: maybe('time', 'd.ended_at'),
    end_type: maybe('text', 'd.end_type'),
    end_description: maybe('text', 'd.end_description'),
    // The path of the component that ended first.
    end_component: maybe('text', 'd.end_component'),
    // True if it has failed to deploy: it has never been up.
    undeployed: maybe('boolean', 'd.undeployed'),
    // The deployer, and the request.
    subject: maybe('text', 'd.subject'),
    request_id: maybe('text', 'd.request_id'),
    detached_from: maybe('text', 'd.detached_from'),
    tenant: maybe('text', 'd.tenant'),
    // When it said this, and when it was written.
    reported_time: always('time', 'd.at'),
    written_time: always('time', 'd.written_at'),
  },
  from: `${table('deployments')} d`,
  key: ['start_time', 'life'],
} as const;

/** The components that they consist of. A component that comes again at the same path has a row of its own. W1 */
export const components = {
  name: 'components',
  columns: {
    deployment: always('text', 'd.name'),
    life: always('text', 'c.life'),
    incarnation: always('integer', 'c.incarnation'),
    // From the root on; the root's is empty.
    path: always('text', 'c.path'),
    kind: always('text', 'c.kind'),
    phase: always('text', 'c.phase'),
    created_time: maybe('time', 'c.created_at'),
    deployed_time: maybe('time', 'c.deployed_at'),
    starting_time: maybe('time', 'c.starting_at'),
    up_time: maybe('time', 'c.up_at'),
    ending_time: maybe('time', 'c.ending_at'),
    end_time: maybe('time', 'c.ended_at'),
    // When it left the tree, to go on in one of its own.
    detached_time: maybe('time', 'c.detached_at'),
    end_type: maybe('text', 'c.end_type'),
    end_description: maybe('text', 'c.end_description'),
    end_component: maybe('text', 'c.end_component'),
    // The component that was deployed, and whose the deployment is.
    component: always('text', 'd.component'),
    tenant: maybe('text', 'd.tenant'),
  },
  from: `${table('components')} c join ${table('deployments')} d on d.life = c.life`,
  key: ['life', 'incarnation'],
} as const;
