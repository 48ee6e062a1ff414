import { Client } from '@temporalio/client';
import { controlPlaneResources } from '../activities/index.js';
import { Sessions } from '../activities/tables/sessions.js';
import { HostClient } from '../activities/host/client.js';
import { ReeveClient } from '../src/client/client.js';
import { homeFolder } from '../src/stack/home.js';
import { findService } from '../src/stack/service.js';
import { openLog } from '../src/telemetry/log.js';
import { connect } from '../src/temporal/connection.js';
import { controlPlane } from '../workflows/definitions.js';
import { AliasWatch } from './alias-watch.js';
import { EntityPlaces } from './entity-places.js';
import { servedTables } from './served-tables.js';
import { runWorker } from './run-worker.js';
import { controlPlaneTaskQueue } from './task-queue.js';

/* The worker of the reference control plane, for a container or a development stack. */
const home = homeFolder();
const { connectionOptions, namespace } = await findService();
const connection = await connect(connectionOptions);
const client = new Client({ connection, namespace });
const reeve = new ReeveClient({ client, entities: controlPlane, taskQueue: await controlPlaneTaskQueue() });
const host = new HostClient(home);
const sessions = new Sessions(host);
const log = openLog('worker', process.env);
const watch = new AliasWatch({ host, reeve, log });
try {
  await runWorker(controlPlaneResources(home), servedTables(new EntityPlaces(reeve), sessions));
} finally {
  await watch.stop();
  await sessions.close();
  await connection.close();
}
