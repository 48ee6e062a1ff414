import { alreadyDone, alreadyInProgress, rejection, type DeclaredRejection } from '../../src/definition/index.js';
import type { DatabaseState, deletable } from './states.js';

/*
 * The answers of a database in each state in which it does not do what it is asked. If a state is forgotten, this does not
 * compile.
 */
type AnswersUnless<State extends DatabaseState> = Record<Exclude<DatabaseState, State | 'Deleted'>, DeclaredRejection>;

const notReady = rejection('database_not_ready', 'The database is not there yet');
const busy = rejection('database_busy', 'Something else is done to the database: wait for it to be Ready');
const awaitsApproval = rejection(
  'approval_pending',
  'A move of the database waits to be approved: wait for that, or cancel the operation',
);
const creationFailed = rejection(
  'creation_failed',
  'The creation failed: delete the database before you create it again',
);
const beingDeleted = rejection('deletion_in_progress', 'The database is being deleted');

/** The answers while something is done to it that comes to an end. */
const whileBusy = {
  Renaming: busy,
  Copying: busy,
  Moving: busy,
  AddingStandby: busy,
  FailingOver: busy,
} as const;

/** The answers to whoever creates it. */
export const unlessAbsent = {
  Attaching: alreadyInProgress(),
  Creating: alreadyInProgress(),
  Ready: alreadyDone(),
  Scaling: alreadyDone(),
  Renaming: alreadyDone(),
  UndoingRename: alreadyDone(),
  Copying: alreadyDone(),
  UndoingCopy: alreadyDone(),
  AwaitingApproval: alreadyDone(),
  WithdrawingRequest: alreadyDone(),
  Moving: alreadyDone(),
  LeavingSource: alreadyDone(),
  UndoingMove: alreadyDone(),
  AddingStandby: alreadyDone(),
  RemovingStandby: alreadyDone(),
  FailingOver: alreadyDone(),
  Undoing: creationFailed,
  Failed: creationFailed,
  Deleting: beingDeleted,
} as const satisfies AnswersUnless<'Absent'>;

export const unlessDeletable = {
  ...whileBusy,
  Absent: notReady,
  Undoing: busy,
  Deleting: alreadyInProgress(),
} as const satisfies AnswersUnless<(typeof deletable)[number]>;

/** The answers to what it can do only when it is Ready. */
export const unlessReady = {
  ...whileBusy,
  Absent: notReady,
  Attaching: notReady,
  Creating: notReady,
  Scaling: busy,
  UndoingRename: busy,
  UndoingCopy: busy,
  AwaitingApproval: awaitsApproval,
  WithdrawingRequest: busy,
  LeavingSource: busy,
  UndoingMove: busy,
  RemovingStandby: busy,
  Undoing: creationFailed,
  Failed: creationFailed,
  Deleting: beingDeleted,
} as const satisfies AnswersUnless<'Ready'>;

/** To what is done to its standby: one that waits for an approval has none, so there is nothing to do. */
export const unlessReadyOrAlone = {
  ...unlessReady,
  AwaitingApproval: alreadyDone(),
} as const satisfies AnswersUnless<'Ready'>;
