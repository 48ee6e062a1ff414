import { z } from 'zod';
import { firewallRule } from '../values/firewall-rule.js';
import { dataCluster } from '../values/data-cluster.js';
import { applicationName, sqlName } from '../values/database-names.js';
import { serviceObjective } from '../values/service-objective.js';
import { resourceName } from '../values/resource-name.js';
import type { Aliases } from './aliases.js';
import type { DataClusters } from './data-clusters.js';
import type { Databases } from './databases.js';
import { HostError } from './host-error.js';
import type { Instances } from './instances.js';
import type { Names } from './names.js';
import type { Standbys } from './standbys.js';
import type { TableParts } from './table-parts.js';
import { column, tableName } from '../values/table.js';

export interface HostResources {
  readonly instances: Instances;
  readonly standbys: Standbys;
  readonly tableParts: TableParts;
  readonly databases: Databases;
  readonly aliases: Aliases;
  readonly names: Names;
  readonly dataClusters: DataClusters;
}

interface Request {
  readonly method: string;
  /** The part of the path after the kind and the name. */
  readonly part: string | undefined;
  readonly inner: string | undefined;
  readonly body: unknown;
}

const placed = z.object({ dataCluster, copyOf: applicationName.optional() });
const following = z.object({ dataCluster, primary: applicationName });
const promoted = z.object({ primary: applicationName, allowDataLoss: z.boolean() });
const administered = z.object({ user: sqlName, server: resourceName, insteadOf: sqlName.optional() });
const ofTable = { database: sqlName, of: z.string() };
const count = z.number().int().min(0);
const tablePart = z.object({
  ...ofTable,
  ...{ columns: z.array(column), key: sqlName, partitions: count, first: count, last: count },
});
const published = z.object({ address: z.ipv4(), port: z.number().int().min(1).max(65_535) });
const routed = z.object({ application: applicationName });

/** Carries out one request. All of them can be repeated. @throws HostError, ZodError */
export async function route(resources: HostResources, method: string, path: string, body: unknown): Promise<object> {
  const [kind, given, part, inner] = path.split('/').slice(1).map(decodeURIComponent);
  if (method === 'GET' && kind === 'aliases' && given === undefined) {
    return { unbound: await resources.aliases.unbound() };
  }
  if (method === 'GET' && kind === 'data-clusters' && given === undefined) {
    return { names: resources.dataClusters.names() };
  }
  const request = { method, part, inner, body };
  const answer = await (kind === 'instances'
    ? onInstance(resources, applicationName.parse(given), request)
    : onServer(resources, kind ?? '', resourceName.parse(given), request));
  if (answer === 'unknown') {
    throw new HostError(404, 'no_such_route', `The resource host has nothing at ${method} ${path}.`);
  }
  return answer ?? {};
}

type Answer = Promise<object | void | 'unknown'>;

async function onInstance(
  { instances, standbys, databases, dataClusters, tableParts }: HostResources,
  name: string,
  { method, part, inner, body }: Request,
): Answer {
  switch (part === undefined ? method : `${method} ${part}`) {
    case 'PUT': {
      const { dataCluster: cluster, copyOf } = placed.parse(body);
      // One that exists stays, also in a data cluster that is not offered any more.
      if (!(await instances.has(name))) dataClusters.require(cluster);
      const address = await instances.put(name, cluster, copyOf);
      // It has taken the room that was kept for it.
      await dataClusters.giveBack(name);
      return address;
    }
    case 'DELETE':
      await standbys.detach(name);
      return instances.remove(name);
    case 'PUT fence':
      return instances.fence(name);
    case 'DELETE fence':
      return instances.release(name);
    case 'PUT standby': {
      const { dataCluster: cluster, primary } = following.parse(body);
      if (!(await instances.has(name))) dataClusters.require(cluster);
      return standbys.put(name, cluster, primary);
    }
    case 'GET standby':
      return standbys.inspect(name);
    case 'PUT promotion': {
      const { primary, allowDataLoss } = promoted.parse(body);
      return standbys.promote(name, primary, allowDataLoss);
    }
    case 'PUT databases':
      return databases.put(name, sqlName.parse(inner));
    case 'PUT administrators': {
      const { server, user, insteadOf } = administered.parse(body);
      return databases.putAdministrator(server, name, { database: sqlName.parse(inner), user, insteadOf });
    }
    case 'PUT objectives': {
      const { serviceObjective: objective } = z.object({ serviceObjective }).parse(body);
      return databases.scale(name, sqlName.parse(inner), objective);
    }
    case 'PUT names':
      return databases.rename(name, sqlName.parse(inner), z.object({ name: sqlName }).parse(body).name);
    case 'DELETE databases':
      return databases.remove(name, sqlName.parse(inner), z.object({ user: sqlName }).parse(body).user);
    case 'PUT tables':
      return tableParts.put(name, tableName.parse(inner), tablePart.parse(body));
    case 'DELETE tables':
      return tableParts.remove(name, tableName.parse(inner), z.object(ofTable).parse(body));
    case 'GET login':
      return instances.login(name);
    default:
      return 'unknown';
  }
}

async function onServer(
  { databases, aliases, names, dataClusters, instances }: HostResources,
  kind: string,
  name: string,
  { method, part, inner, body }: Request,
): Answer {
  if (kind === 'rooms' && part !== undefined) return onRoom(dataClusters, name, dataCluster.parse(part), method);
  switch ([method, kind, part].filter(Boolean).join(' ')) {
    case 'DELETE rooms':
      return dataClusters.giveBack(name);
    case 'GET data-clusters instances': {
      const all = await instances.all();
      return { names: all.filter(({ cluster }) => cluster === name).map((each) => each.name) };
    }
    case 'GET administrators':
      return databases.credentials(name);
    case 'DELETE administrators':
      return databases.forget(name);
    case 'PUT aliases':
      return aliases.reserve(name);
    case 'GET aliases':
      return { bound: (await aliases.isBound(name)) ?? false };
    case 'PUT aliases target':
      return aliases.point(name, routed.parse(body).application);
    case 'PUT aliases firewall':
      return aliases.protect(name, z.object({ rules: z.array(firewallRule) }).parse(body).rules);
    case 'PUT aliases routes':
      return aliases.route(name, sqlName.parse(inner), routed.parse(body).application);
    case 'DELETE aliases routes':
      return aliases.unroute(name, applicationName.parse(inner));
    case 'DELETE aliases':
      return aliases.remove(name);
    case 'PUT names':
      return names.put(name, published.parse(body));
    case 'DELETE names':
      return names.remove(name);
    default:
      return 'unknown';
  }
}

async function onRoom(dataClusters: DataClusters, server: string, cluster: string, method: string): Answer {
  switch (method) {
    case 'GET':
      return { free: await dataClusters.free(cluster, server) };
    case 'PUT':
      return dataClusters.take(cluster, server);
    default:
      return 'unknown';
  }
}
