import { Client } from '@temporalio/client';
import { makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { parseArgs } from 'node:util';
import { HostClient } from '../activities/host/client.js';
import { ClusterLedger } from '../activities/tables/cluster-ledger.js';
import { tableLogics } from '../activities/tables/logics.js';
import { Sessions } from '../activities/tables/sessions.js';
import { ReeveClient } from '../src/client/client.js';
import { homeFolder } from '../src/stack/home.js';
import { findService } from '../src/stack/service.js';
import { openLog } from '../src/telemetry/log.js';
import { temporalLogger } from '../src/telemetry/temporal-logger.js';
import { connect } from '../src/temporal/connection.js';
import { Executor } from '../src/temporal/distributed/executor.js';
import { controlPlane } from '../workflows/definitions.js';
import { EntityPlaces } from './entity-places.js';
import { controlPlaneTaskQueue } from './task-queue.js';

const HELP = `node dist/workers/executor.js [--cluster NAME]...

Does the jobs of operations over partitions in the data clusters that are named, or in all of them, until it gets SIGTERM or
SIGINT. Then it takes no more jobs, and ends when those under way have noted how far they are.

Exit codes: 0 it was told to end; 1 it failed; 2 the command was not right.`;

process.exitCode = await main();

async function main(): Promise<number> {
  let named: readonly string[];
  try {
    const { values } = parseArgs({
      options: { cluster: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean', default: false } },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    named = values.cluster;
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const host = new HostClient(homeFolder());
  const { names } = await host.request<{ readonly names: readonly string[] }>('GET', ['data-clusters']);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no data cluster ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
    return 2;
  }
  await run(host, named.length > 0 ? named : names);
  return 0;
}

async function run(host: HostClient, clusters: readonly string[]): Promise<void> {
  const log = openLog('executor', process.env);
  Runtime.install({
    logger: temporalLogger(log, 'WARN'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
  const { connectionOptions, namespace } = await findService();
  const taskQueue = await controlPlaneTaskQueue();
  const connection = await connect(connectionOptions);
  const native = await NativeConnection.connect(connectionOptions);
  const reeve = new ReeveClient({ client: new Client({ connection, namespace }), entities: controlPlane, taskQueue });
  const places = new EntityPlaces(reeve);
  const sessions = new Sessions(host);
  const operations = tableLogics(places, sessions);
  const ledgers = clusters.map((cluster) => new ClusterLedger(cluster, places, sessions));
  const executors = clusters.map(
    (place, index) =>
      new Executor({ connection: native, namespace, taskQueue, place, operations, ledger: ledgers[index]! }),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      for (const executor of executors) executor.shutdown();
    });
  log.info({ clusters }, 'does the jobs of these data clusters');
  try {
    await Promise.all(executors.map((executor) => executor.run()));
  } finally {
    await Promise.all([...ledgers.map((ledger) => ledger.close()), sessions.close()]);
    await native.close();
    await connection.close();
  }
}
