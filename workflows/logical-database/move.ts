import { aliases } from '../../activities/alias/contract.js';
import { databases } from '../../activities/databases/contract.js';
import type { Action } from '../../src/definition/index.js';
import { LogicalServer } from '../logical-server/definition.js';
import { applicationKey, deleteApplications, mustBe, refusalOf } from '../outcomes.js';
import { SqlApplication } from '../sql-application/definition.js';
import { needsApproval } from './approval.js';
import type { LogicalDatabase } from './definition.js';
import { placeOf, setTarget, targetOf } from './place.js';
import { mustBeAlone } from './standby.js';

type Database = typeof LogicalDatabase;

/** A server that has gone itself has nothing to detach. */
const GONE_IS_FINE = { mayBeRejected: true } as const;

export const beginMoving: Action<Database, 'beginMoving'> = async (database, { params }) => {
  mustBeAlone(database);
  const { key, properties } = database;
  const place = placeOf(database);
  const { server = place.server, dataCluster = properties.dataCluster } = params;
  if (server === place.server && dataCluster === properties.dataCluster) {
    const message = `The database is in '${server}' and '${dataCluster}' already. Name another server or data cluster.`;
    database.giveUp({ code: 'already_there', message });
  }
  properties.generation++;
  properties.moveApprovedBy = undefined;
  properties.moveBegunAt = new Date(database.now()).toISOString();
  const isAsked = dataCluster !== properties.dataCluster && (await needsApproval(database, place.server));
  setTarget(database, { server, database: key, dataCluster, application: applicationKey(key, properties.generation) });
  return database.goTo(isAsked ? 'AwaitingApproval' : 'Moving');
};

/**
 * Moves the database. It must not change while it is copied, so clients are kept away until it is in its new place. Whatever is
 * refused leads to undoing the move, since an earlier attempt may have come further.
 */
export const move: Action<Database, 'move'> = async (database) => {
  const { key, properties } = database;
  const { server, application, name, administrator: before } = placeOf(database);
  const { target, next, dataCluster } = targetOf(database);
  const { serviceObjective } = properties;

  const view = await database.read(LogicalServer, target);
  if (view?.properties.administrator === undefined) {
    const message = `There is no server '${target}'. Create it first.`;
    return database.goTo('UndoingMove', { error: { code: 'no_server', message } });
  }
  if (view.properties.standbyCluster !== undefined) {
    const message = `The server '${target}' has standbys, and a database is not moved under them. Remove them first.`;
    return database.goTo('UndoingMove', { error: { code: 'has_standby', message } });
  }
  const { administrator } = view.properties;
  if (target !== server) {
    const params = { name, database: key };
    const attached = await database.raiseAndWait(LogicalServer, target, 'attachDatabase', params, { within: '1m' });
    const refusal = refusalOf(attached, 'Ready');
    if (refusal) return database.goTo('UndoingMove', { error: refusal });
  }
  mustBe(await database.raiseAndWait(SqlApplication, application, 'fence', { within: '5m' }), 'Fenced');
  const params = { server: target, dataCluster, copyOf: application };
  const created = await database.createAndWait(SqlApplication, next, 'create', params, { within: '40m' });
  const refusal = refusalOf(created, 'Ready');
  if (refusal) return database.goTo('UndoingMove', { error: refusal });
  const place = { application: next, database: name };
  await database.call(databases.configureMaster, { ...place, server: target, administrator, insteadOf: before });
  await database.call(databases.scaleDatabase, { ...place, serviceObjective });
  await database.call(aliases.route, { name: target, database: name, application: next });
  properties.administrator = administrator;
  return database.goTo('LeavingSource');
};

export const leaveSource: Action<Database, 'leaveSource'> = async (database) => {
  const { key, properties, links } = database;
  const { server, application } = placeOf(database);
  const { target, next, dataCluster } = targetOf(database);
  if (target !== server) {
    await database.call(aliases.unroute, { name: server, application });
    database.raise(LogicalServer, server, 'detachDatabase', { database: key }, GONE_IS_FINE);
  }
  await deleteApplications(database, [application, ...links.former]);
  Object.assign(properties, { dataCluster, moveBegunAt: undefined });
  Object.assign(links, { server: target, application: next, targetApplication: undefined, former: [] });
  return database.goTo('Ready');
};

export const undoMove: Action<Database, 'undoMove'> = async (database) => {
  const { key, links, properties } = database;
  const { server, application, name } = placeOf(database);
  const { target, next } = targetOf(database);
  if (target !== server) {
    await database.call(aliases.unroute, { name: target, application: next });
    database.raise(LogicalServer, target, 'detachDatabase', { database: key }, GONE_IS_FINE);
  }
  await deleteApplications(database, [next]);
  mustBe(await database.raiseAndWait(SqlApplication, application, 'release', { within: '5m' }), 'Ready');
  await database.call(aliases.route, { name: server, database: name, application });
  links.targetApplication = undefined;
  properties.moveBegunAt = undefined;
  return database.goTo('Ready');
};
