import { Client } from '@temporalio/client';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { callbackSettingsFrom } from '../src/temporal/callback-address.js';
import { connect } from '../src/temporal/connection.js';
import { ReeveClient } from '../src/client/client.js';
import { executionLink } from '../src/client/execution-link.js';
import { createApplication } from '../src/service/application.js';
import { authenticatorFrom } from '../src/service/authentication/environment.js';
import { serverOptionsFrom } from '../src/service/environment.js';
import { auditTrails } from '../src/service/audit-trail.js';
import { startService } from '../src/service/server.js';
import { serviceStore } from '../src/service/service-store.js';
import { StoreAuditTrail } from '../src/service/store-audit-trail.js';
import { StoreRejections } from '../src/service/store-rejections.js';
import { findDatabase } from '../src/stack/database.js';
import { findService } from '../src/stack/service.js';
import { openLog } from '../src/telemetry/log.js';
import { metricsSettingsFrom } from '../src/telemetry/environment.js';
import { serveMetrics } from '../src/telemetry/metrics-server.js';
import { measureRunningOperations } from '../src/telemetry/running-operations.js';
import { openTraces } from '../src/telemetry/tracing/traces.js';
import { measureWriter } from '../src/telemetry/writer-metrics.js';
import { controlPlaneComponents } from '../workflows/components.js';
import { tableOperations } from '../activities/tables/operations/index.js';
import { controlPlane, controlPlaneModule } from '../workflows/definitions.js';
import { DIAGRAMS_FOLDER, PAGE_FOLDER } from './built.js';
import { openControlPlaneStore } from './control-plane-store.js';
import { controlPlaneTaskQueue } from './task-queue.js';

/*
 * The management service of the reference control plane, for a container or a development stack. Any number of instances may run.
 */
/** The longest that a list may take, in milliseconds. Whoever needs longer asks for less, or asks PostgreSQL itself. */
const LONGEST_QUERY_MS = 5_000;

const log = openLog('service', process.env);
const { connectionOptions, namespace, uiUrl } = await findService();
const connection = await connect(connectionOptions);
const store = openControlPlaneStore(await findDatabase(), {
  queryMs: LONGEST_QUERY_MS,
  warn: (message) => log.warn(message),
});
const audit = new StoreAuditTrail(store.writer, log);
const rejections = new StoreRejections(store.writer, (message) => log.warn(message));
const authenticator = await authenticatorFrom(process.env);
const client = new Client({ connection, namespace });
const traces = await openTraces('service', process.env);
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
measureRunningOperations(metrics, client);
measureWriter(metrics, store.writer);
const callbacks = callbackSettingsFrom(process.env);
const application = createApplication({
  ...(callbacks && { callbacks }),
  ...(authenticator && { authenticator }),
  reeve: new ReeveClient({
    client,
    entities: controlPlane,
    components: controlPlaneComponents,
    distributed: tableOperations,
    taskQueue: await controlPlaneTaskQueue(),
    recall: (question) => store.writer.recall(question),
  }),
  modules: [controlPlaneModule],
  ...(uiUrl && { execution: (workflowId) => executionLink(uiUrl, namespace, workflowId) }),
  ...(traces && { traces }),
  ...{ log, audit: auditTrails(audit, rejections), metrics, store: serviceStore(store) },
  ...{ page: PAGE_FOLDER, diagrams: DIAGRAMS_FOLDER },
  dependencies: [
    {
      name: 'Temporal',
      check: async () => void (await connection.workflowService.getSystemInfo({})),
    },
  ],
});
const { own } = metricsSettingsFrom(process.env, 'REEVE_API_METRICS_PORT');
const measures = own && (await serveMetrics(metrics, own));
const service = await startService(application, serverOptionsFrom(process.env));
log.info({ url: service.url }, 'listening');

await new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
});
log.info('stopping');
await service.stop();
await traces?.close();
await measures?.stop();
await audit.close();
await rejections.close();
await store.close();
await connection.close();
