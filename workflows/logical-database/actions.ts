import { aliases } from '../../activities/alias/contract.js';
import { approvals } from '../../activities/approvals/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { implementActions, type PropertiesOf, type ResourceContext } from '../../src/definition/index.js';
import { LogicalServer } from '../logical-server/definition.js';
import { applicationKey, deleteApplications, refusalOf } from '../outcomes.js';
import { SqlApplication } from '../sql-application/definition.js';
import { awaitApproval, withdrawRequest } from './approval.js';
import { beginCopying, copy, undoCopy } from './copy.js';
import { LogicalDatabase } from './definition.js';
import { beginMoving, leaveSource, move, undoMove } from './move.js';
import { partsOf } from './names.js';
import { placeOf, setTarget, type DatabaseContents } from './place.js';
import { beginRenaming, rename, undoRename } from './rename.js';
import { addStandby, beginStandby, failOver, follow, removeStandby } from './standby.js';

export const logicalDatabase = implementActions(LogicalDatabase, {
  begin: async (database, { params }) => {
    comeToBe(database, params);
    return database.goTo('Attaching');
  },
  beginCopied: async (database, { params }) => {
    comeToBe(database, params);
    return database.goTo('Attaching');
  },
  attach: async (database) => {
    const { server, name } = partsOf(database.key);
    // The server is reserved, so that it is still as it was seen when it takes the name.
    const view = await database.reserve(LogicalServer, server);
    if (view?.state !== 'Ready') {
      const message = `The server '${server}' is ${view?.state ?? 'not there'}. A database is created when it is Ready.`;
      return database.goTo('Deleted', { error: { code: 'server_not_ready', message } });
    }
    const params = { name, database: database.key };
    const attached = await database.raiseAndWait(LogicalServer, server, 'attachDatabase', params, { within: '1m' });
    const refusal = refusalOf(attached, 'Ready');
    if (refusal) return database.goTo('Deleted', { error: refusal });
    database.properties.administrator = view.properties.administrator;
    const { standbyCluster } = view.properties;
    if (standbyCluster !== undefined) {
      database.properties.standbyCluster = standbyCluster;
      database.properties.generation++;
      database.links.standby = applicationKey(database.key, database.properties.generation);
    }
    return database.goTo('Creating');
  },
  createResources: async (database) => {
    const { properties, links } = database;
    const { server, application, name, administrator } = placeOf(database);
    const { dataCluster, source, serviceObjective, standbyCluster } = properties;
    const copyOf = source && { copyOf: source.application };
    const created = await database.createAndWait(
      SqlApplication,
      application,
      'create',
      { server, dataCluster, ...copyOf },
      { within: '40m' },
    );
    const refusal = refusalOf(created, 'Ready');
    if (refusal) database.giveUp(refusal);
    if (source) await database.call(databases.renameDatabase, { application, database: source.name, name });
    else await database.call(databases.createDatabase, { application, database: name });
    const insteadOf = source && { insteadOf: source.administrator };
    const place = { application, database: name };
    await database.call(databases.configureMaster, { ...place, server, administrator, ...insteadOf });
    await database.call(databases.scaleDatabase, { ...place, serviceObjective });
    if (standbyCluster !== undefined && links.standby !== undefined) {
      await follow(database, { standby: links.standby, server, application, dataCluster: standbyCluster });
    }
    await database.call(aliases.route, { name: server, database: name, application });
    return database.goTo('Ready');
  },
  cancelCreation: async (database) => database.goTo('Undoing'),
  undo: async (database) => {
    await removeResources(database, database);
    return database.goTo('Failed');
  },

  beginScaling: async (database, { params }) => {
    setTarget(database, {});
    database.properties.serviceObjective = params.serviceObjective;
    return database.goTo('Scaling');
  },
  scale: async (database) => {
    const { application, name } = placeOf(database);
    const { serviceObjective } = database.properties;
    await database.call(databases.scaleDatabase, { application, database: name, serviceObjective });
    return database.goTo('Ready');
  },

  beginRenaming,
  rename,
  undoRename,
  beginCopying,
  copy,
  undoCopy,
  beginMoving,
  awaitApproval,
  withdrawMove: async (database) => database.goTo('WithdrawingRequest'),
  withdrawRequest,
  move,
  leaveSource,
  undoMove,
  beginStandby,
  addStandby,
  endStandby: async (database) => {
    setTarget(database, {});
    return database.goTo('RemovingStandby');
  },
  removeStandby,
  beginFailover: async (database, { params }) => {
    setTarget(database, { dataCluster: database.properties.standbyCluster });
    database.properties.allowDataLoss = params.allowDataLoss;
    return database.goTo('FailingOver');
  },
  failOver,

  beginDeletion: async (database) => {
    forgetTarget(database);
    return database.goTo('Deleting');
  },
  beginDeletionWithServer: async (database, { params }) => {
    forgetTarget(database);
    database.properties.goesWithServer = params.server;
    return database.goTo('Deleting');
  },
  deleteResources: async (database) => {
    await database.call(approvals.withdraw, { database: database.key, begunAt: database.properties.moveBegunAt });
    await removeResources(database, database);
    // A server that is being deleted waits for this database, so this must not wait for that server.
    for (const server of serversOf(database).filter((each) => each !== database.properties.goesWithServer)) {
      // A server that has gone itself has nothing to detach.
      database.raise(LogicalServer, server, 'detachDatabase', { database: database.key }, { mayBeRejected: true });
    }
    return database.goTo('Deleted');
  },
});

/** Forgets the target, unless a move is under way. A move has taken something at its target, which has to be removed too. */
function forgetTarget(database: DatabaseContents): void {
  if (database.links.targetApplication === undefined) setTarget(database, {});
}

function comeToBe(
  { key, properties, links }: DatabaseContents,
  params: Pick<PropertiesOf<typeof LogicalDatabase>, 'dataCluster' | 'serviceObjective' | 'source'>,
): void {
  const { server, name } = partsOf(key);
  Object.assign(properties, { ...params, name });
  Object.assign(links, { server, application: key });
}

/** The servers in which it has its name. There are two while it moves. */
function serversOf({ links }: DatabaseContents): readonly string[] {
  const { server, targetServer, targetApplication } = links;
  const servers = targetApplication === undefined ? [server] : [server, targetServer];
  return [...new Set(servers)].filter((each) => each !== undefined);
}

async function removeResources(context: ResourceContext, contents: DatabaseContents): Promise<void> {
  const { standby, targetApplication, application, former } = contents.links;
  const applications = [standby, targetApplication, application, ...former].filter((each) => each !== undefined);
  for (const name of serversOf(contents)) {
    for (const each of applications) await context.call(aliases.unroute, { name, application: each });
  }
  await deleteApplications(context, applications);
}
