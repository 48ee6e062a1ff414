import { rejection } from '../../src/definition/index.js';

/*
 * What a server answers to what it can do only when it is Ready.
 */
const notReady = rejection('server_not_ready', 'The server takes no databases, rules or standbys before it is Ready');
const busy = rejection('server_busy', 'Something else is done to the server: wait for it to be Ready');

export const creationFailed = rejection(
  'creation_failed',
  'The creation failed: delete the server before you create it again',
);
export const beingDeleted = rejection('deletion_in_progress', 'The server is being deleted');

/** For what waits for the firewall rules to be set. */
export const unlessReady = {
  Absent: notReady,
  Creating: notReady,
  CreatingResources: notReady,
  Undoing: notReady,
  Failed: notReady,
  ConfiguringFirewall: busy,
  AddingStandby: busy,
  RemovingStandby: busy,
  FailingOver: busy,
  Deleting: beingDeleted,
} as const;

const { ConfiguringFirewall: _, ...unlessReadyOrConfiguring } = unlessReady;
export { unlessReadyOrConfiguring };

export const unlessDeletable = { RemovingStandby: busy, FailingOver: busy } as const;
