import type { Action, RaiseOutcome } from '../../src/definition/index.js';
import { Alias } from '../alias/definition.js';
import { DatabaseService } from '../database-service/definition.js';
import { LogicalDatabase } from '../logical-database/definition.js';
import { applicationKey, deleteApplications, mustBe, refusalOf } from '../outcomes.js';
import { SqlApplication } from '../sql-application/definition.js';
import type { LogicalServer } from './definition.js';

type Server = typeof LogicalServer;

export const beginStandby: Action<Server, 'beginStandby'> = async (server, { params }) => {
  const { properties, links, key } = server;
  if (properties.standbyCluster !== undefined) {
    const message = `The server has a standby in '${properties.standbyCluster}'. Remove it before you add another one.`;
    server.giveUp({ code: 'has_standby', message });
  }
  properties.standbyCluster = params.dataCluster;
  properties.generation++;
  links.standby = applicationKey(key, properties.generation);
  return server.goTo('AddingStandby');
};

export const addStandby: Action<Server, 'addStandby'> = async (server) => {
  const { key, links, properties, subordinates } = server;
  const { standbyCluster: dataCluster } = properties;
  const { application: standbyOf, standby } = links;
  if (dataCluster === undefined || standby === undefined) throw new Error('The standby has no place.');
  // The instance that was failed over from is kept until there is something better to fall back on.
  await deleteApplications(server, links.former);
  const created = await server.createAndWait(
    SqlApplication,
    standby,
    'create',
    { server: key, dataCluster, ...(standbyOf !== undefined && { standbyOf }) },
    { within: '40m' },
  );
  mustBe(created, 'Following');
  for (const { database } of Object.values(subordinates.databases)) {
    const added = await server.raiseAndWait(
      LogicalDatabase,
      database,
      'addStandby',
      { dataCluster },
      { within: '40m' },
    );
    if (exists(added)) mustBe(added, 'Ready');
  }
  links.former = [];
  return server.goTo('Ready');
};

export const removeStandby: Action<Server, 'removeStandby'> = async (server) => {
  for (const { database } of Object.values(server.subordinates.databases)) {
    const removed = await server.raiseAndWait(LogicalDatabase, database, 'removeStandby', { within: '5m' });
    if (exists(removed)) mustBe(removed, 'Ready');
  }
  await deleteApplications(server, [server.links.standby]);
  server.links.standby = undefined;
  server.properties.standbyCluster = undefined;
  return server.goTo('Ready');
};

export const beginFailover: Action<Server, 'beginFailover'> = async (server, { params }) => {
  if (server.properties.standbyCluster === undefined) {
    server.giveUp({ code: 'no_standby', message: 'The server has no standby. Add one first: addStandby.' });
  }
  server.properties.allowDataLoss = params.allowDataLoss;
  return server.goTo('FailingOver');
};

/** Fails over the server first, and then its databases. Those that cannot leave their place stay there with their standbys. */
export const failOver: Action<Server, 'failOver'> = async (server) => {
  const { key, links, properties, subordinates } = server;
  const { allowDataLoss } = properties;
  const { application, standby } = links;
  const within = '10m';
  if (standby !== undefined) {
    const promoted = await server.raiseAndWait(SqlApplication, standby, 'promote', { allowDataLoss }, { within });
    const refusal = refusalOf(promoted, 'Ready');
    if (refusal) server.giveUp(refusal);
    if (application !== undefined) {
      mustBe(await server.raiseAndWait(SqlApplication, application, 'fence', { within }), 'Fenced');
    }
    mustBe(await server.raiseAndWait(DatabaseService, key, 'follow', { application: standby }, { within }), 'Ready');
    mustBe(await server.raiseAndWait(Alias, key, 'point', { application: standby }, { within }), 'Ready');
  }
  const outcomes = await Promise.all(
    Object.values(subordinates.databases).map(({ database }) =>
      server.raiseAndWait(LogicalDatabase, database, 'failover', { allowDataLoss }, { within }),
    ),
  );
  if (standby !== undefined) {
    links.former = application === undefined ? links.former : [...links.former, application];
    links.application = standby;
    links.standby = undefined;
    properties.dataCluster = properties.standbyCluster ?? properties.dataCluster;
  }
  const refusals = outcomes.filter(exists).map((outcome) => refusalOf(outcome, 'Ready'));
  const error = refusals.find((refusal) => refusal !== undefined);
  if (error) return server.goTo('Ready', { error });
  properties.standbyCluster = undefined;
  return server.goTo('Ready');
};

/** A database that is gone, or was never there since its creation failed, has no standby either. */
function exists(outcome: RaiseOutcome): boolean {
  return outcome.status !== 'rejected' || !['absent', 'gone', 'creation_failed'].includes(outcome.code);
}
