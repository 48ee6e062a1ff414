import { rejection } from '../../src/definition/index.js';

const notReady = rejection('database_not_ready', 'The database is not there yet');
const busy = rejection('database_busy', 'Something else is done to the database: wait for it to be Ready');

export const creationFailed = rejection(
  'creation_failed',
  'The creation failed: delete the database before you create it again',
);
export const beingDeleted = rejection('deletion_in_progress', 'The database is being deleted');

/** What a database answers while something is done to it that comes to an end. */
export const unlessDeletable = {
  Renaming: busy,
  Copying: busy,
  Moving: busy,
  AddingStandby: busy,
  FailingOver: busy,
} as const;

const whileBusy = {
  ...unlessDeletable,
  Scaling: busy,
  UndoingRename: busy,
  UndoingCopy: busy,
  LeavingSource: busy,
  UndoingMove: busy,
  RemovingStandby: busy,
} as const;

/** What a database answers to what it can do only when it is Ready. */
export const unlessReady = {
  ...whileBusy,
  Absent: notReady,
  Attaching: notReady,
  Creating: notReady,
  Undoing: creationFailed,
  Failed: creationFailed,
  Deleting: beingDeleted,
} as const;
