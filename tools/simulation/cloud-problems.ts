import type { AnyEntity } from '../../src/definition/index.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import type { Simulation } from '../../src/simulation/index.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import type { FakeCloud } from './fake-cloud.js';

interface Links {
  readonly application?: string;
  readonly standby?: string;
  readonly former: readonly string[];
  readonly targetApplication?: string;
  readonly server?: string;
}

/** The living servers and databases by their keys, and the cloud with their resources. */
interface Plane {
  readonly servers: ReadonlyMap<string, Snapshot>;
  readonly databases: ReadonlyMap<string, Snapshot>;
  readonly cloud: FakeCloud;
}

/*
 * Finds what is not as it should be when everything is at rest:
 *
 * cloud-problems.1. A server or database that is Ready can be used, and clients are led to it.
 * cloud-problems.2. What is attached exists: each name of a server belongs to a living database, which has that name and is on
 *     that server.
 * cloud-problems.3. Nothing is left of what was deleted: every instance, route, alias, DNS record and administrator belongs to a
 *     living server or database.
 * cloud-problems.4. No room is kept for an instance that is there or that nobody wants, and a server is where it says.
 * cloud-problems.5. Nobody is asked any more about a move that is decided or no longer wanted.
 */
export function cloudProblems(
  sim: Simulation,
  cloud: FakeCloud,
  keys: { readonly servers: readonly string[]; readonly databases: readonly string[] },
): readonly string[] {
  const living = (entity: AnyEntity, all: readonly string[]) =>
    new Map(all.filter((key) => sim.exists(entity, key)).map((key) => [key, sim.read(entity, key)]));
  const servers = living(LogicalServer, keys.servers);
  const databases = living(LogicalDatabase, keys.databases);
  const plane: Plane = { servers, databases, cloud };
  return [
    ...[...servers.values()].flatMap((server) => uselessServer(plane, server)),
    ...[...databases.values()].flatMap((database) => uselessDatabase(plane, database)),
    ...[...servers.values()].flatMap((server) => wrongNames(plane, server)),
    ...leftOver(plane),
    ...[...cloud.rooms].map(([server, cluster]) => `room in '${cluster}' is kept for '${server}' for ever`),
    ...[...cloud.outbox.keys()].map((key) => `somebody is still asked whether '${key}' may move`),
  ];
}

/** cloud-problems.1, cloud-problems.4 */
function uselessServer({ cloud }: Plane, { key, state, links, properties }: Snapshot): readonly string[] {
  if (state !== 'Ready') return [];
  const at = links as unknown as Links;
  const { application } = cloud.aliases.get(key) ?? {};
  const instance = cloud.instances.get(at.application ?? '');
  const follows = at.standby === undefined || cloud.instances.get(at.standby)?.primary === at.application;
  return [
    ...(application === at.application
      ? []
      : [`the alias of '${key}' leads to ${application}, not to ${at.application}`]),
    ...(cloud.names.has(key) ? [] : [`the server '${key}' has no name`]),
    ...(instance?.databases.has('master') && !instance.fenced ? [] : [`the server '${key}' cannot be used`]),
    ...(instance && instance.cluster !== properties['dataCluster']
      ? [`the server '${key}' is in ${instance.cluster}, and says ${String(properties['dataCluster'])}`]
      : []),
    ...(follows ? [] : [`the standby of '${key}' does not follow it`]),
  ];
}

/** cloud-problems.1 */
function uselessDatabase({ cloud, servers }: Plane, { key, state, links, properties }: Snapshot): readonly string[] {
  if (state !== 'Ready') return [];
  const { application, server = '' } = links as unknown as Links;
  const name = String(properties['name']);
  const instance = cloud.instances.get(application ?? '');
  const held = instance?.databases.get(name);
  const usable = instance !== undefined && !instance.fenced && held !== undefined;
  const route = cloud.aliases.get(server)?.routes.get(name);
  const attached = namesOf(servers.get(server)).get(name);
  return [
    ...(usable ? [] : [`the database '${key}' cannot be used`]),
    ...(usable && !properties['source'] && held !== key ? [`the database '${key}' holds what ${held} held`] : []),
    ...(route === application ? [] : [`'${key}' is led to ${route}, not to ${application}`]),
    ...(attached === key ? [] : [`the server '${server}' does not know '${key}' as '${name}'`]),
  ];
}

/** cloud-problems.2 */
function wrongNames({ databases }: Plane, server: Snapshot): readonly string[] {
  return [...namesOf(server)].flatMap(([name, key]) => {
    const database = databases.get(key);
    if (!database) return [`the name '${name}' of '${server.key}' is attached to '${key}', which does not exist`];
    // A database whose creation failed is on no server, and keeps its name until it is deleted.
    if (database.state === 'Failed') return [];
    const isThere = database.links['server'] === server.key && database.properties['name'] === name;
    return isThere
      ? []
      : [`the name '${name}' of '${server.key}' is attached to '${key}', which is not there any more`];
  });
}

/** cloud-problems.3 */
function leftOver({ servers, databases, cloud }: Plane): readonly string[] {
  const owned = new Set([...servers.values(), ...databases.values()].flatMap(instancesOf));
  const routed = new Set([...databases.values()].flatMap(routesOf));
  const of = (what: string, all: Iterable<string>) =>
    [...all].filter((server) => !servers.has(server)).map((server) => `the ${what} of '${server}' is left over`);
  return [
    ...[...cloud.instances.keys()]
      .filter((name) => !owned.has(name))
      .map((name) => `the instance '${name}' is left over`),
    ...[...cloud.aliases].flatMap(([server, { routes }]) =>
      [...routes]
        .filter(([name, application]) => !routed.has(routeName(server, name, application)))
        .map(([name, application]) => `the route to '${name}' of '${server}' in '${application}' is left over`),
    ),
    ...of('alias', cloud.aliases.keys()),
    ...of('name', cloud.names),
    ...of('administrator', cloud.administrators),
  ];
}

function instancesOf({ links }: Snapshot): readonly string[] {
  const { application, standby, targetApplication, former } = links as unknown as Links;
  return [application, standby, targetApplication, ...former].filter((each) => each !== undefined);
}

function routesOf(database: Snapshot): readonly string[] {
  const name = String(database.properties['name']);
  return instancesOf(database).map((application) => routeName(String(database.links['server']), name, application));
}

function routeName(server: string, name: string, application: string): string {
  return `${server}/${name}/${application}`;
}

/** The databases of a server, by the names under which clients ask for them. */
function namesOf(server: Snapshot | undefined): ReadonlyMap<string, string> {
  const attached = server?.subordinates['databases'] ?? {};
  return new Map(Object.entries(attached).map(([name, each]) => [name, (each as { database: string }).database]));
}
