import { alreadyDone, alreadyInProgress, rejection, type DeclaredRejection } from '../../src/definition/index.js';
import type { deletable, ServerState, up } from './states.js';

/*
 * The answers of a server in each state in which it does not do what it is asked. If a state is forgotten, this does not compile.
 */
type AnswersUnless<State extends ServerState> = Record<Exclude<ServerState, State | 'Deleted'>, DeclaredRejection>;

const notReady = rejection('server_not_ready', 'The server takes no databases, rules or standbys before it is Ready');
const busy = rejection('server_busy', 'Something else is done to the server: wait for it to be Ready');
const creationFailed = rejection(
  'creation_failed',
  'An earlier creation of this server failed: delete the server before you create it again',
);
const beingDeleted = rejection('deletion_in_progress', 'The server is being deleted');

/** The answers to whoever creates it. */
export const unlessAbsent = {
  Placing: alreadyInProgress(),
  TakingRoom: alreadyInProgress(),
  Creating: alreadyInProgress(),
  CreatingResources: alreadyInProgress(),
  Ready: alreadyDone(),
  ConfiguringFirewall: alreadyDone(),
  AddingStandby: alreadyDone(),
  RemovingStandby: alreadyDone(),
  FailingOver: alreadyDone(),
  Undoing: rejection('creation_failed', 'A failed creation is being undone'),
  Failed: creationFailed,
  Deleting: beingDeleted,
} as const satisfies AnswersUnless<'Absent'>;

/** The answers to whoever creates a database in it, where it is not up. */
export const unlessUp = {
  Absent: notReady,
  Placing: notReady,
  TakingRoom: notReady,
  Creating: notReady,
  CreatingResources: notReady,
  Undoing: notReady,
  Failed: notReady,
  Deleting: beingDeleted,
} as const satisfies AnswersUnless<(typeof up)[number]>;

/** The answers to what it can do only when it is Ready, which includes waiting for the firewall rules to be set. */
export const unlessReady = {
  ...unlessUp,
  ConfiguringFirewall: busy,
  AddingStandby: busy,
  RemovingStandby: busy,
  FailingOver: busy,
} as const satisfies AnswersUnless<'Ready'>;

const { ConfiguringFirewall: _, ...unlessReadyOrConfiguring } = unlessReady;
export { unlessReadyOrConfiguring };

export const unlessDeletable = {
  Absent: rejection('server_not_ready', 'There is no server yet'),
  Placing: busy,
  TakingRoom: busy,
  Creating: busy,
  RemovingStandby: busy,
  FailingOver: busy,
  Undoing: busy,
  Deleting: alreadyInProgress(),
} as const satisfies AnswersUnless<(typeof deletable)[number]>;

/** The answer to whoever creates a database in a server that does not exist. */
export const noServer = rejection('server_not_ready', 'A database is created in a server, once that is Ready');
