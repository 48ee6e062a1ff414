import type { AnyImplementation } from '../../src/definition/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import { InvariantViolated, Random, simulate, type Simulation } from '../../src/simulation/index.js';
import { alias } from '../../workflows/alias/actions.js';
import { databaseService } from '../../workflows/database-service/actions.js';
import { dnsRecord } from '../../workflows/dns-record/actions.js';
import { logicalServer } from '../../workflows/logical-server/actions.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { sqlApplication } from '../../workflows/sql-application/actions.js';
import { FakeCloud } from './fake-cloud.js';
import { someFaults } from './faults.js';

export const IMPLEMENTATIONS: readonly AnyImplementation[] = [
  logicalServer,
  sqlApplication,
  databaseService,
  alias,
  dnsRecord,
];
const SERVERS = ['one', 'two'];

/** One simulation of the reference control plane: servers created and deleted, at times at once. @throws InvariantViolated */
export async function simulateControlPlane(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xc0de);
  const cloud = new FakeCloud();
  const sim = simulate(IMPLEMENTATIONS, { seed, faults: someFaults(random), resources: cloud.resources });
  const underWay: Promise<unknown>[] = [];
  for (let count = 2 + random.below(6); count > 0; count--) {
    const server = random.pick(SERVERS);
    const request = random.chance(0.5)
      ? sim.create(LogicalServer, server, 'create', {})
      : sim.raise(LogicalServer, server, 'delete');
    underWay.push(request.then(undefined, onlyRejected));
    if (random.chance(0.7)) await sim.advance(random.pick([1, 100, 2_000, 30_000, 300_000]));
  }
  for (const result of await Promise.all(underWay)) if (result instanceof Error) throw result;
  await sim.settle();
  for (const server of SERVERS) checkServer(sim, cloud, server, seed);
  return sim;
}

/** A server that is Ready has all its resources, and of one that is gone nothing is left. */
function checkServer(sim: Simulation, cloud: FakeCloud, server: string, seed: number): void {
  const state = sim.exists(LogicalServer, server) ? sim.read(LogicalServer, server).state : 'Deleted';
  const parts = cloud.of(server);
  const right = state === 'Ready' ? parts.length === 4 : state === 'Deleted' ? parts.length === 0 : true;
  if (right) return;
  const problem = `the server '${server}' is ${state}, and there is: ${parts.join(', ') || 'nothing'}`;
  throw new InvariantViolated({
    invariant: 'the resources are as the server says',
    problem,
    seed,
    step: sim.steps,
    trace: sim.trace,
  });
}

function onlyRejected(thrown: unknown): unknown {
  return thrown instanceof Rejected ? undefined : thrown;
}
