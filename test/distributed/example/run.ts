import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflows,
  connect,
  createWorker,
  Executor,
  PostgresLedger,
  ReeveClient,
  registerSearchAttributes,
} from 'reeve';
import { checksumCode } from './checksum-code.js';

/** A worker, an executor for each disk, and one operation on the archive. In earnest, each of them is a process of its own. */
export async function run(
  address: string,
  disks: Readonly<Record<string, string>>,
  ledgerUrl: string,
): Promise<string> {
  const connection = await connect({ address });
  await registerSearchAttributes(connection, 'default');
  const at = { connection: await NativeConnection.connect({ address }), namespace: 'default' };
  const operations = [checksumCode(disks)];

  const worker = await createWorker({
    ...at,
    workflowBundle: await bundleWorkflows({
      workflowsPath: fileURLToPath(new URL('workflows.js', import.meta.url)),
      declarations: [fileURLToPath(new URL('checksum.js', import.meta.url))],
    }),
    resources: [],
    distributed: {
      operations,
      targets: {
        // The holder of each folder now. When that changes, the version grows.
        placement: async (target) =>
          target === 'archive'
            ? { version: 1, partitions: 4, places: { east: { primary: '0-1' }, west: { primary: '2-3' } } }
            : undefined,
      },
    },
  });
  const ledger = new PostgresLedger(ledgerUrl); // in earnest, in a database at the place
  const executors = Object.keys(disks).map(
    (place) => new Executor({ ...at, clientConnection: connection, place, operations, ledger }),
  );

  return worker.runUntil(async () => {
    const executing = Promise.all(executors.map((executor) => executor.run()));
    const { distributed } = new ReeveClient({ client: new Client({ connection }), entities: [] });
    const instance = await distributed.start('checksum', 'archive', { algorithm: 'sha256' });
    const { outcome, jobs } = await distributed.result(instance);
    for (const executor of executors) executor.shutdown();
    await executing;
    await ledger.close();
    return `${outcome}: ${jobs.succeeded} of ${jobs.all}`;
  });
}
