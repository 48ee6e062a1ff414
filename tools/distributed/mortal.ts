import { NativeConnection } from '@temporalio/worker';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.js';
import { openStore } from '../../src/store/index.js';
import { connect } from '../../src/temporal/connection.js';
import { Executor } from '../../src/temporal/distributed/executor.js';
import { createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { Field } from './field.js';
import type { ProcessSettings } from './settings.js';

/* A worker or an executor that is ended in the middle of its work, gently by SIGTERM or by force. */
const settings = JSON.parse(process.argv[2]!) as ProcessSettings;
installMortalRuntime();
const connection = await NativeConnection.connect({ address: settings.address });
const field = new Field(settings.fieldUrl);
const runs = await start();
process.once('SIGTERM', () => runs.shutdown());
process.send?.('up');
await runs.run();
process.exit(0);

async function start(): Promise<{ run(): Promise<void>; shutdown(): void }> {
  const operations = field.logics;
  const { place, ledgerUrl, bundle, maxCached, storeUrl } = settings;
  if (place !== undefined && ledgerUrl !== undefined) {
    const clientConnection = await connect({ address: settings.address });
    return new Executor({
      ...{ connection, clientConnection, namespace: 'default', place, operations },
      ledger: new PostgresLedger(ledgerUrl),
    });
  }
  return createWorker({
    ...{ connection, namespace: 'default', workflowBundle: { codePath: bundle! }, resources: [] },
    distributed: { operations, targets: { placement: () => field.placement() } },
    ...(maxCached !== undefined && { maxCached }),
    ...(storeUrl !== undefined && { records: openStore({ url: storeUrl, dimensions: [] }).writer }),
    shutdownGraceMs: 500,
  });
}
