import { makeTelemetryFilterString } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { aliases } from '../activities/alias/contract.js';
import { approvals } from '../activities/approvals/contract.js';
import { dataClusters } from '../activities/data-clusters/contract.js';
import { databases } from '../activities/databases/contract.js';
import { names } from '../activities/dns/contract.js';
import { HostClient } from '../activities/host/client.js';
import { resumedByHost } from '../activities/host/resumed-by-host.js';
import { controlPlaneResources } from '../activities/index.js';
import { tables } from '../activities/tables/contract.js';
import { Sessions } from '../activities/tables/sessions.js';
import { ReeveClient } from '../src/client/client.js';
import { homeFolder } from '../src/stack/home.js';
import { findService } from '../src/stack/service.js';
import { findDatabase } from '../src/stack/database.js';
import { openLog } from '../src/telemetry/log.js';
import { temporalLogger } from '../src/telemetry/temporal-logger.js';
import { findCallbacks } from '../src/stack/callbacks.js';
import { connectWhenAsked } from '../src/temporal/connection.js';
import { temporalClient } from '../src/temporal/temporal-client.js';
import { lambdaHandler, type InvocationParts } from '../src/temporal/lambda/handler.js';
import { controlPlane } from '../workflows/definitions.js';
import { EntityPlaces } from './entity-places.js';
import { refusedSettings } from './lambda-settings.js';
import { servedTables } from './served-tables.js';
import { openProjectStore } from '../src/project/project-store.js';
import { controlPlaneProject } from './project.js';

/* The worker of the reference control plane as a function of AWS Lambda, which Temporal's Worker Controller invokes. Q3 */
const refused = refusedSettings(process.env);
if (refused.length > 0) throw new Error(`This cannot run in AWS Lambda:\n${refused.map((r) => `- ${r}`).join('\n')}`);

const log = openLog('lambda', process.env);
const home = homeFolder();
const project = await controlPlaneProject();
const taskQueue = project.taskQueue();
const callbacks = await findCallbacks();
const bundle = readFileSync(await project.builtBundle(), 'utf8');

export const handler = lambdaHandler({
  version: {
    deploymentName: process.env['TEMPORAL_DEPLOYMENT_NAME'] || 'reeve',
    buildId: process.env['TEMPORAL_WORKER_BUILD_ID'] || createHash('sha256').update(bundle).digest('hex').slice(0, 12),
  },
  taskQueue,
  workflowBundle: { code: bundle },
  entities: controlPlane,
  declared: [...[databases, aliases, tables, names, dataClusters].map(resumedByHost), approvals],
  ...(callbacks && { callbacks }),
  runtime: {
    logger: temporalLogger(log, 'WARN'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  },
  open,
});

async function open(): Promise<InvocationParts> {
  const { connectionOptions, namespace, payloads } = await findService();
  const connection = connectWhenAsked(connectionOptions);
  const client = temporalClient({ connection, namespace, payloads });
  const reeve = new ReeveClient({ client, entities: controlPlane, taskQueue });
  const sessions = new Sessions(new HostClient(home));
  const store = await openProjectStore(project, await findDatabase(), { warn: (message) => log.warn(message) });
  return {
    resources: controlPlaneResources(home),
    distributed: servedTables(new EntityPlaces(reeve), sessions),
    records: store.writer,
    payloads,
    close: async () => {
      await Promise.all([store.close(), sessions.close(), connection.close()]);
    },
  };
}
