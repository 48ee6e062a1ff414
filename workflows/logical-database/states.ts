import { deleted, initial, stable, unstable } from '../../src/definition/index.js';
import { statesThat } from '../states-that.js';

export const states = {
  Absent: initial(),
  Attaching: unstable({
    description: 'Takes its name in the server, which has to be Ready.',
    retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' },
  }),
  Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' } }),
  Ready: stable(),
  Scaling: unstable({ retry: { delay: '500ms' } }),
  Renaming: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'UndoingRename' } }),
  UndoingRename: unstable({ health: 'error', retry: { delay: '1s' } }),
  Copying: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'UndoingCopy' } }),
  UndoingCopy: unstable({ health: 'error', retry: { delay: '1s' } }),
  AwaitingApproval: unstable({
    description: 'Waits until somebody outside approves that it goes to another data cluster.',
    retry: { attempts: 5, delay: '1s', exhausted: 'WithdrawingRequest' },
  }),
  WithdrawingRequest: unstable({
    description: 'Takes away the request for an approval, which is no longer wanted.',
    retry: { delay: '1s' },
  }),
  Moving: unstable({
    description: 'Takes no clients while it is copied to its new place.',
    retry: { attempts: 3, delay: '1s', exhausted: 'UndoingMove' },
  }),
  LeavingSource: unstable({ retry: { delay: '1s' } }),
  UndoingMove: unstable({ health: 'error', retry: { delay: '1s' } }),
  AddingStandby: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'RemovingStandby' } }),
  RemovingStandby: unstable({ retry: { delay: '1s' } }),
  FailingOver: unstable({ retry: { attempts: 100, delay: '1s', exhausted: 'Ready' } }),
  Undoing: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
  Failed: stable({ health: 'error' }),
  Deleting: unstable({ retry: { delay: '500ms' } }),
  Deleted: deleted(),
};

export type DatabaseState = keyof typeof states;

/**
 * The states in which it can be deleted. They include those that are tried for ever, since a server that is being deleted may be
 * what is missing.
 */
export const deletable = statesThat({
  Absent: false,
  Attaching: true,
  Creating: true,
  Ready: true,
  Scaling: true,
  Renaming: false,
  UndoingRename: true,
  Copying: false,
  UndoingCopy: true,
  AwaitingApproval: true,
  WithdrawingRequest: true,
  Moving: false,
  LeavingSource: true,
  UndoingMove: true,
  AddingStandby: false,
  RemovingStandby: true,
  FailingOver: false,
  Undoing: false,
  Failed: true,
  Deleting: false,
  Deleted: false,
} as const satisfies Record<DatabaseState, boolean>);
