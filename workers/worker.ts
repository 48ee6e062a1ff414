import { NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker';
import { controlPlaneResources } from '../activities/index.js';
import { homeFolder } from '../src/stack/home.js';
import { findService } from '../src/stack/service.js';
import { createWorker } from '../src/temporal/worker.js';
import { BUNDLE_PATH } from './bundle.js';

/*
 * The worker of the reference control plane, for a container or a development stack. It runs until it gets SIGTERM or
 * SIGINT; then it takes no more work and ends when what is under way has ended.
 */
Runtime.install({ logger: new DefaultLogger('WARN') });
const { connectionOptions, namespace } = await findService();
const connection = await NativeConnection.connect(connectionOptions);
try {
  const worker = await createWorker({
    connection,
    namespace,
    workflowBundle: { codePath: BUNDLE_PATH },
    resources: controlPlaneResources(homeFolder()),
  });
  await worker.run();
} finally {
  await connection.close();
}
