import { collectDefaultMetrics, Registry } from 'prom-client';
import { ReeveClient } from '../client/client.js';
import { executionLink } from '../client/execution-link.js';
import { BuildRouting, readStatus } from '../rollout/index.js';
import { codecServerFrom } from '../service/codec-server.js';
import { createApplication } from '../service/application.js';
import { auditTrails } from '../service/audit-trail.js';
import { authenticatorFrom } from '../service/authentication/environment.js';
import { serverOptionsFrom } from '../service/environment.js';
import { startService } from '../service/server.js';
import { serviceStore } from '../service/service-store.js';
import type { ServiceSettings } from '../service/settings.js';
import { StoreAuditTrail } from '../service/store-audit-trail.js';
import { StoreRejections } from '../service/store-rejections.js';
import { findCallbacks } from '../stack/callbacks.js';
import { findDatabase } from '../stack/database.js';
import { dataDirectoryFrom } from '../stack/data-directory.js';
import { frozenWorkers } from '../stack/frozen-workers.js';
import { findService } from '../stack/service.js';
import { metricsSettingsFrom } from '../telemetry/environment.js';
import { openLog } from '../telemetry/log.js';
import { serveMetrics } from '../telemetry/metrics-server.js';
import { measureRunningOperations } from '../telemetry/running-operations.js';
import { openTraces } from '../telemetry/tracing/traces.js';
import { measureWriter } from '../telemetry/writer-metrics.js';
import { connect } from '../temporal/connection.js';
import { watchLosses } from '../temporal/keeper/watch-losses.js';
import { deploymentFrom } from '../temporal/worker-version.js';
import { temporalClient } from '../temporal/temporal-client.js';
import { builtFile } from './built-file.js';
import type { Project } from './project.js';
import { openProjectStore } from './project-store.js';

/** The longest that a list may take, in milliseconds. Whoever needs longer asks for less, or asks PostgreSQL itself. */
const LONGEST_QUERY_MS = 5_000;
/** Where the build puts the files of the web page. */
const PAGE_FOLDER = builtFile('page');
/** Where `npm run docs` puts the documentation. */
const GUIDE_FOLDER = builtFile('guide');

/**
 * Runs the management service of a project until it gets SIGTERM or SIGINT. Any number of instances may run. S6.1
 * @param settings what is not as it is by default
 * @throws ProjectError with all that is wrong in the project
 */
export async function runService(project: Project, settings: Partial<ServiceSettings> = {}): Promise<void> {
  const { modules, entities, components, distributed } = await project.declared();
  const log = openLog('service', process.env);
  const { connectionOptions, namespace, payloads, uiUrl } = await findService();
  await payloads.keys?.current();
  const connection = await connect(connectionOptions);
  const store = await openProjectStore(project, await findDatabase(), {
    queryMs: LONGEST_QUERY_MS,
    warn: (message) => log.warn(message),
  });
  const audit = new StoreAuditTrail(store.writer, log);
  const rejections = new StoreRejections(store.writer, (message) => log.warn(message));
  const authenticator = await authenticatorFrom(process.env);
  const client = temporalClient({ connection, namespace, payloads });
  const traces = await openTraces('service', process.env);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  measureRunningOperations(metrics, client);
  measureWriter(metrics, store.writer);
  const callbacks = await findCallbacks();
  const routing = new BuildRouting(client, deploymentFrom(process.env, project.taskQueue()));
  const codec = codecServerFrom(process.env, payloads, namespace);
  const application = createApplication({
    ...(callbacks && { callbacks }),
    ...(codec && { codec }),
    ...(authenticator && { authenticator }),
    reeve: new ReeveClient({
      ...{ client, entities, components, distributed },
      taskQueue: project.taskQueue(),
      frozen: () => frozenWorkers(dataDirectoryFrom(), project.taskQueue()),
      recall: (question) => store.writer.recall(question),
    }),
    modules,
    ...(uiUrl && { execution: (workflowId) => executionLink(uiUrl, namespace, workflowId) }),
    ...(traces && { traces }),
    rollout: () => readStatus(client, routing, project.taskQueue()),
    ...{ log, audit: auditTrails(audit, rejections), metrics, store: serviceStore(store) },
    ...{ settings, page: PAGE_FOLDER, guide: GUIDE_FOLDER, diagrams: project.diagrams },
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
  const ended = new AbortController();
  const [taskQueue, types] = [project.taskQueue(), entities.map(({ name }) => name)];
  const watching = watchLosses({ client, taskQueue, types, warn: (message) => log.warn(message) }, ended.signal);

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  log.info('stopping');
  ended.abort();
  await service.stop();
  await watching;
  await traces?.close();
  await measures?.stop();
  await audit.close();
  await rejections.close();
  await store.close();
  await connection.close();
}
