import type { AnyImplementation } from '../../src/definition/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import {
  InvariantViolated,
  Random,
  ResourceError,
  simulate,
  type Simulation,
  type AcceptedEvent,
} from '../../src/simulation/index.js';
import { alias } from '../../workflows/alias/actions.js';
import { databaseService } from '../../workflows/database-service/actions.js';
import { dnsRecord } from '../../workflows/dns-record/actions.js';
import { logicalDatabase } from '../../workflows/logical-database/actions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { logicalServer } from '../../workflows/logical-server/actions.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { sqlApplication } from '../../workflows/sql-application/actions.js';
import { cloudProblems } from './cloud-problems.js';
import { Approvers } from './approvers.js';
import { FakeCloud, type FakeOthers } from './fake-cloud.js';
import { someFaults, someRest } from './faults.js';
import { requestCount } from './request-count.js';

export const IMPLEMENTATIONS: readonly AnyImplementation[] = [
  logicalServer,
  logicalDatabase,
  sqlApplication,
  databaseService,
  alias,
  dnsRecord,
];
const SERVERS = ['one', 'two'] as const;
/** The data cluster that nobody names: servers come there only since it has offered room. */
const ONLY_ASKED = 'north';
export const DATABASES = ['one.sales', 'one.stock', 'two.sales'] as const;

/**
 * Runs one simulation of the reference control plane. Servers and databases are created, changed and deleted, sometimes at once.
 * @throws InvariantViolated
 */
export async function simulateControlPlane(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xc0de);
  const approvers = new Approvers(new Random(seed ^ 0xa99));
  const cloud = new FakeCloud({ ...someRooms(new Random(seed ^ 0x400)), decide: approvers.decide });
  const options = { seed, faults: someFaults(random), resources: cloud.resources, ...someRest(random) };
  const sim = simulate(IMPLEMENTATIONS, options);
  // In strict ones, nothing moves to another data cluster without somebody's approval.
  const isStrict = random.chance(0.4);
  if (random.chance(0.7)) await prepare(sim, random, isStrict);
  const underWay: Promise<unknown>[] = [];
  const taken: AcceptedEvent[] = [];
  for (let count = requestCount(random); count > 0; count--) {
    underWay.push(request(sim, random, isStrict).then((each) => void taken.push(each), onlyRejected));
    if (taken.length > 0 && random.chance(0.1)) await sim.cancel(random.pick(taken).requestId);
    if (random.chance(0.7)) await sim.advance(random.pick([1, 100, 2_000, 30_000, 300_000]));
  }
  for (const result of await Promise.all(underWay)) if (result instanceof Error) throw result;
  await sim.settle();
  const problem = [
    ...cloudProblems(sim, cloud, { servers: SERVERS, databases: DATABASES }),
    ...(isStrict ? approvers.unapproved(sim) : []),
    ...(cloud.free(ONLY_ASKED) < 0 ? [`the data cluster '${ONLY_ASKED}' has more instances than room`] : []),
  ][0];
  if (problem === undefined) return sim;
  const invariant = 'the resources are as the servers and databases say';
  throw new InvariantViolated({ invariant, problem, seed, step: sim.steps, trace: sim.trace });
}

/** Creates what can be changed later, where that does not fail. */
async function prepare(sim: Simulation, random: Random, movesNeedApproval: boolean): Promise<void> {
  const two = random.chance(0.5);
  for (const server of two ? SERVERS : SERVERS.slice(0, 1)) {
    await sim.create(LogicalServer, server, 'create', { movesNeedApproval });
  }
  await sim.settle();
  if (random.chance(0.3))
    await sim.raise(LogicalServer, 'one', 'addStandby', { dataCluster: 'east' }).catch(onlyRejected);
  await sim.create(LogicalDatabase, 'one.sales', 'create', {}).catch(onlyRejected);
  await sim.settle();
}

/** Makes some request on a server or a database. */
function request(sim: Simulation, random: Random, isStrict: boolean): Promise<AcceptedEvent> {
  const server = random.pick(SERVERS);
  const database = random.pick(DATABASES);
  const cluster = random.pick(['main', 'west']);
  const movesNeedApproval = isStrict || random.chance(0.5);
  const onServer = [
    () => sim.create(LogicalServer, server, 'create', { movesNeedApproval }),
    () => sim.create(LogicalServer, server, 'create', { dataCluster: cluster, movesNeedApproval }),
    () => sim.raise(LogicalServer, server, 'changeSettings', { movesNeedApproval }),
    () => sim.raise(LogicalServer, server, 'delete'),
    () => sim.raise(LogicalServer, server, 'setFirewallRule', { name: 'office', cidr: '10.1.0.0/16' }),
    () => sim.raise(LogicalServer, server, 'addStandby', { dataCluster: 'east' }),
    () => sim.raise(LogicalServer, server, 'removeStandby'),
    () => sim.raise(LogicalServer, server, 'failover', {}),
  ] as const;
  const onDatabase = [
    () => sim.create(LogicalDatabase, database, 'create', {}),
    () => sim.create(LogicalDatabase, database, 'create', { dataCluster: cluster }),
    () => sim.raise(LogicalDatabase, database, 'delete'),
    () => sim.raise(LogicalDatabase, database, 'scale', { serviceObjective: 'S2' }),
    () => sim.raise(LogicalDatabase, database, 'rename', { name: random.pick(['revenue', 'stock']) }),
    () => sim.raise(LogicalDatabase, database, 'copyTo', { server: random.pick(SERVERS), name: 'sales' }),
    () => sim.raise(LogicalDatabase, database, 'moveTo', { server: random.pick(SERVERS), dataCluster: cluster }),
  ] as const;
  return random.chance(0.4) ? random.pick(onServer)() : random.pick(onDatabase)();
}

/** The data clusters, which sometimes have little room, or fail when they are asked. */
function someRooms(random: Random): FakeOthers {
  if (random.chance(0.5)) return { rooms: new Map([['main', 100]]) };
  const rooms = new Map([
    ['main', random.below(3)],
    [ONLY_ASKED, random.below(3)],
  ]);
  return {
    rooms,
    beforeRoom: () => {
      if (random.chance(0.2)) throw new ResourceError('cluster_down', 'The data cluster does not answer.');
    },
  };
}

function onlyRejected(thrown: unknown): unknown {
  return thrown instanceof Rejected ? undefined : thrown;
}
