import { aliases } from '../../activities/alias/contract.js';
import { implementActions, type RaiseOutcome, type ResourceContext } from '../../src/definition/index.js';
import { Alias } from '../alias/definition.js';
import { DatabaseService } from '../database-service/definition.js';
import { DnsRecord } from '../dns-record/definition.js';
import { SqlApplication } from '../sql-application/definition.js';
import { LogicalServer } from './definition.js';

export const logicalServer = implementActions(LogicalServer, {
  begin: async (server, { params }) => {
    server.properties.administrator = params.administrator;
    return server.goTo('Creating');
  },
  createResources: async (server) => {
    // The address comes first, so that the name can be published while the databases are still being made.
    const address = await server.call(aliases.reserve, { name: server.key });
    server.properties.address = address;
    server.create(SqlApplication, server.key, 'create');
    server.create(DnsRecord, server.key, 'create', { address });
    return server.goTo('CreatingResources');
  },
  createService: async (server) => {
    const { database, administrator = 'administrator' } = server.properties;
    server.create(DatabaseService, server.key, 'create', { application: server.key, database, administrator });
    return server.goTo('CreatingResources');
  },
  createAlias: async (server) => {
    server.create(Alias, server.key, 'create', { application: server.key });
    return server.goTo('CreatingResources');
  },
  finish: async (server) => server.goTo('Ready'),
  fail: async (server) => server.goTo('Undoing'),
  undo: async (server) => {
    await removeResources(server);
    return server.goTo('Failed');
  },
  beginDeletion: async (server) => server.goTo('Deleting'),
  deleteResources: async (server) => {
    await removeResources(server);
    return server.goTo('Deleted');
  },
});

/** Removes everything in the reverse order of its creation: nobody is led to what is being taken away. */
async function removeResources(server: ResourceContext): Promise<void> {
  const { key } = server;
  const within = '2m';
  const gone = await Promise.all([
    server.raiseAndWait(DnsRecord, key, 'delete', undefined, { within }),
    server.raiseAndWait(Alias, key, 'delete', undefined, { within }),
  ]);
  gone.forEach(mustBeGone);
  mustBeGone(await server.raiseAndWait(DatabaseService, key, 'delete', undefined, { within }));
  mustBeGone(await server.raiseAndWait(SqlApplication, key, 'delete', undefined, { within }));
  // Where it had come to no alias yet, the address is still reserved.
  await server.call(aliases.remove, { name: key });
}

/** A resource that was never created, or is gone already, is as good as deleted. */
function mustBeGone(outcome: RaiseOutcome): void {
  if (outcome.status === 'rejected' && outcome.code !== 'absent' && outcome.code !== 'gone') {
    throw new Error(outcome.message);
  }
  if (outcome.status === 'settled' && outcome.state !== 'Deleted') {
    throw new Error(outcome.error?.message ?? `A resource went to ${outcome.state} instead of being deleted.`);
  }
}
