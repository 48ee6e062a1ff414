import { deleted, initial, stable, unstable } from '../../src/definition/index.js';
import { statesThat } from '../states-that.js';

export const states = {
  Absent: initial(),
  Placing: unstable({
    description: 'Asks all data clusters for capacity, and chooses the first that has some.',
    // For a server whose room somebody else has taken meanwhile.
    wait: '500ms',
    retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' },
  }),
  TakingRoom: unstable({
    description: 'Reserves the capacity in the chosen data cluster, unless another server has taken it meanwhile.',
    retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' },
  }),
  Creating: unstable({
    description: 'Reserves the address and starts the provisioning of the resources.',
    retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' },
  }),
  CreatingResources: stable({ waiting: true }),
  Ready: stable(),
  ConfiguringFirewall: unstable({ retry: { delay: '500ms' } }),
  AddingStandby: unstable({
    description: 'Copies the server and its databases to another data cluster, where the copies follow them.',
    retry: { attempts: 5, delay: '1s', exhausted: 'RemovingStandby' },
  }),
  RemovingStandby: unstable({ retry: { delay: '1s' } }),
  FailingOver: unstable({
    description: 'Lets the standbys take the place of the server and its databases.',
    retry: { attempts: 100, delay: '1s', exhausted: 'Ready' },
  }),
  Undoing: unstable({
    health: 'error',
    description: 'Removes what has been created of a server that failed.',
    retry: { attempts: 10, delay: '1s', exhausted: 'Failed' },
  }),
  Failed: stable({ health: 'error' }),
  Deleting: unstable({ retry: { delay: '500ms' } }),
  Deleted: deleted(),
};

export type ServerState = keyof typeof states;

/** The states of a server that takes databases and rules, and of one that will do so again. */
export const up = statesThat({
  Absent: false,
  Placing: false,
  TakingRoom: false,
  Creating: false,
  CreatingResources: false,
  Ready: true,
  ConfiguringFirewall: true,
  AddingStandby: true,
  RemovingStandby: true,
  FailingOver: true,
  Undoing: false,
  Failed: false,
  Deleting: false,
  Deleted: false,
} as const satisfies Record<ServerState, boolean>);

export const deletable = statesThat({
  Absent: false,
  Placing: false,
  TakingRoom: false,
  Creating: false,
  CreatingResources: true,
  Ready: true,
  ConfiguringFirewall: true,
  AddingStandby: true,
  RemovingStandby: false,
  FailingOver: false,
  Undoing: false,
  Failed: true,
  Deleting: false,
  Deleted: false,
} as const satisfies Record<ServerState, boolean>);
