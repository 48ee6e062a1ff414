import { aliases } from '../../activities/alias/contract.js';
import { dataClusters } from '../../activities/data-clusters/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { DEFAULT_DATA_CLUSTER } from '../../activities/values/data-cluster.js';
import {
  implementActions,
  type LinksOf,
  type ResourceContext,
  type SubordinatesOf,
} from '../../src/definition/index.js';
import { Alias } from '../alias/definition.js';
import { DatabaseService } from '../database-service/definition.js';
import { DnsRecord } from '../dns-record/definition.js';
import { LogicalDatabase } from '../logical-database/definition.js';
import { deleteApplications, mustBeGone } from '../outcomes.js';
import { SqlApplication } from '../sql-application/definition.js';
import { LogicalServer } from './definition.js';
import { FIRST_RULES } from './firewall.js';
import { place, takeRoom } from './place.js';
import { addStandby, beginFailover, beginStandby, failOver, removeStandby } from './standby.js';

export const logicalServer = implementActions(LogicalServer, {
  begin: async (server, { params }) => {
    Object.assign(server.properties, params);
    server.links.application = server.key;
    Object.assign(server.subordinates.firewallRules, FIRST_RULES);
    return params.dataCluster === undefined ? server.goTo('Placing', { wait: 0 }) : server.goTo('Creating');
  },
  place,
  takeRoom,
  createResources: async (server) => {
    const { dataCluster = DEFAULT_DATA_CLUSTER } = server.properties;
    // The address comes first, so that the name can be published while the databases are still being made.
    const address = await server.call(aliases.reserve, { name: server.key });
    await protect(server, server);
    server.properties.address = address;
    server.create(SqlApplication, server.key, 'create', { server: server.key, dataCluster });
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
  cancelCreation: async (server) => server.goTo('Undoing'),
  undo: async (server) => {
    await removeResources(server, server);
    return server.goTo('Failed');
  },

  setFirewallRule: async (server, { params }) => {
    server.subordinates.firewallRules[params.name] = params.rule;
    return server.goTo('ConfiguringFirewall');
  },
  removeFirewallRule: async (server, { params }) => {
    delete server.subordinates.firewallRules[params.name];
    return server.goTo('ConfiguringFirewall');
  },
  configureFirewall: async (server) => {
    await protect(server, server);
    return server.goTo('Ready');
  },

  changeSettings: async (server, { params }) => {
    Object.assign(server.properties, params);
  },

  attachDatabase: async (server, { params: { name, database } }) => {
    const known = server.subordinates.databases[name];
    if (known && known.database !== database) refuseName(server, name);
    server.subordinates.databases[name] = { database };
  },
  renameDatabase: async (server, { params }) => renameDatabase(server, server, params),
  restoreDatabaseName: async (server, { params }) => renameDatabase(server, server, params),
  detachDatabase: async (server, { params }) => {
    const { databases: attached } = server.subordinates;
    for (const [name, { database }] of Object.entries(attached))
      if (database === params.database) delete attached[name];
  },

  beginStandby,
  addStandby,
  endStandby: async (server) => server.goTo('RemovingStandby'),
  removeStandby,
  beginFailover,
  failOver,

  beginDeletion: async (server) => server.goTo('Deleting'),
  deleteResources: async (server) => {
    await removeResources(server, server);
    return server.goTo('Deleted');
  },
});

interface Contents {
  readonly key: string;
  readonly links: LinksOf<typeof LogicalServer>;
  readonly subordinates: SubordinatesOf<typeof LogicalServer>;
}

async function protect(context: ResourceContext, { key, subordinates }: Contents): Promise<void> {
  await context.call(aliases.protect, { name: key, rules: Object.values(subordinates.firewallRules) });
}

function renameDatabase(
  context: ResourceContext,
  { subordinates }: Contents,
  { from, to, database }: { readonly from: string; readonly to: string; readonly database: string },
): void {
  const { databases: attached } = subordinates;
  if (attached[to] && attached[to].database !== database) refuseName(context, to);
  if (attached[from]?.database === database) delete attached[from];
  attached[to] = { database };
}

function refuseName(context: ResourceContext, name: string): never {
  return context.giveUp({
    code: 'name_taken',
    message: `The server has another database '${name}'. Choose another name.`,
  });
}

/** Removes everything in the reverse order of its creation, so that nobody is led to what is being taken away. */
async function removeResources(context: ResourceContext, { key, links, subordinates }: Contents): Promise<void> {
  const within = '5m';
  const gone = await Promise.all([
    ...Object.values(subordinates.databases).map(({ database }) =>
      context.raiseAndWait(LogicalDatabase, database, 'deleteWithServer', { server: key }, { within }),
    ),
    context.raiseAndWait(DnsRecord, key, 'delete', { within }),
    context.raiseAndWait(Alias, key, 'delete', { within }),
  ]);
  gone.forEach(mustBeGone);
  mustBeGone(await context.raiseAndWait(DatabaseService, key, 'delete', { within }));
  // Standbys go first, so that no instance keeps anything for one.
  await deleteApplications(context, [links.standby, links.application, ...links.former]);
  // Where there was no alias yet, the address is still reserved.
  await context.call(aliases.remove, { name: key });
  await context.call(databases.forgetAdministrator, { server: key });
  // Where it had come to no instance yet, room is still kept for it.
  await context.call(dataClusters.giveRoomBack, { server: key });
}
