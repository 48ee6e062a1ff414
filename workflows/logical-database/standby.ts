import { aliases } from '../../activities/alias/contract.js';
import type { Action, ResourceContext } from '../../src/definition/index.js';
import { applicationKey, deleteApplications, mustBe, refusalOf } from '../outcomes.js';
import { SqlApplication } from '../sql-application/definition.js';
import type { LogicalDatabase } from './definition.js';
import { placeOf, setTarget } from './place.js';

type Database = typeof LogicalDatabase;

export const beginStandby: Action<Database, 'beginStandby'> = async (database, { params }) => {
  const { properties, links, key } = database;
  // Its server tries again what was done in part.
  if (properties.standbyCluster === params.dataCluster && links.standby !== undefined) return database.goTo('Ready');
  setTarget(database, { dataCluster: params.dataCluster });
  properties.standbyCluster = params.dataCluster;
  properties.generation++;
  links.standby = applicationKey(key, properties.generation);
  return database.goTo('AddingStandby');
};

export const addStandby: Action<Database, 'addStandby'> = async (database) => {
  const { properties, links } = database;
  const { server, application } = placeOf(database);
  const { standbyCluster: dataCluster } = properties;
  if (dataCluster === undefined || links.standby === undefined) throw new Error('The standby has no place.');
  // The instance that was failed over from is kept until there is something better to fall back on.
  await deleteApplications(database, links.former);
  await follow(database, { standby: links.standby, server, application, dataCluster });
  links.former = [];
  return database.goTo('Ready');
};

export const removeStandby: Action<Database, 'removeStandby'> = async (database) => {
  await deleteApplications(database, [database.links.standby]);
  database.links.standby = undefined;
  database.properties.standbyCluster = undefined;
  return database.goTo('Ready');
};

export const failOver: Action<Database, 'failOver'> = async (database) => {
  const { properties, links } = database;
  const { server, application, name } = placeOf(database);
  const { allowDataLoss, standbyCluster, dataCluster } = properties;
  const { standby } = links;
  // Its server tries again what was done in part.
  if (standby === undefined) return database.goTo('Ready');
  const within = '10m';
  const promoted = await database.raiseAndWait(SqlApplication, standby, 'promote', { allowDataLoss }, { within });
  const refusal = refusalOf(promoted, 'Ready');
  if (refusal) return database.goTo('Ready', { error: refusal });
  mustBe(await database.raiseAndWait(SqlApplication, application, 'fence', { within }), 'Fenced');
  await database.call(aliases.route, { name: server, database: name, application: standby });
  links.former = [...links.former, application];
  links.application = standby;
  links.standby = undefined;
  properties.dataCluster = standbyCluster ?? dataCluster;
  properties.standbyCluster = undefined;
  return database.goTo('Ready');
};

/** Refuses to go on where the database has a standby. A standby follows what it knows by name and place, so these must stay. */
export function mustBeAlone({ links, giveUp }: Pick<Parameters<typeof beginStandby>[0], 'links' | 'giveUp'>): void {
  if (links.standby === undefined) return;
  const message = 'The database has a standby, which could not follow. Remove the standby of its server first.';
  giveUp({ code: 'has_standby', message });
}

/** Creates an instance that follows another one, and waits until it does. */
export async function follow(
  context: ResourceContext,
  place: {
    readonly standby: string;
    readonly server: string;
    readonly application: string;
    readonly dataCluster: string;
  },
): Promise<void> {
  const { standby, server, application: standbyOf, dataCluster } = place;
  const params = { server, dataCluster, standbyOf };
  const created = await context.createAndWait(SqlApplication, standby, 'create', params, { within: '40m' });
  const refusal = refusalOf(created, 'Following');
  if (refusal) context.giveUp(refusal);
}
