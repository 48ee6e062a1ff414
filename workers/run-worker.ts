import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { findDatabase } from '../src/stack/database.js';
import { findService } from '../src/stack/service.js';
import type { ImplementedResource } from '../src/temporal/resources.js';
import { createWorker } from '../src/temporal/worker.js';
import { BUNDLE_PATH } from './bundle.js';
import { openControlPlaneStore } from './control-plane-store.js';

/**
 * Runs a worker of the control plane until it gets SIGTERM or SIGINT; then it takes no more work, and ends when what is
 * under way has ended.
 */
export async function runWorker(resources: readonly ImplementedResource[]): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const { connectionOptions, namespace } = await findService();
  const connection = await NativeConnection.connect(connectionOptions);
  const store = openControlPlaneStore(await findDatabase());
  try {
    const worker = await createWorker({
      connection,
      namespace,
      workflowBundle: { codePath: BUNDLE_PATH },
      resources,
      records: store.writer,
    });
    await worker.run();
  } finally {
    await connection.close();
    await store.close();
  }
}
