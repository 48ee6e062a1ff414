import { ReeveClient } from '../../../client/client.js';
import { Project } from '../../../project/project.js';
import { BuildRouting, readStatus } from '../../../rollout/index.js';
import { auditTrails } from '../../../service/audit-trail.js';
import { serviceStore } from '../../../service/service-store.js';
import { StoreRejections } from '../../../service/store-rejections.js';
import { findCallbacks } from '../../../stack/callbacks.js';
import { configuredDatabase, findDatabase } from '../../../stack/database.js';
import { dataDirectoryFrom } from '../../../stack/data-directory.js';
import { frozenWorkers } from '../../../stack/frozen-workers.js';
import { findPayloadSettings } from '../../../stack/payload-keys.js';
import { deploymentFrom } from '../../../temporal/worker-version.js';
import { openStore, retentionFrom, secretProperties } from '../../../store/index.js';
import { messageOf } from '../../../definition/thrown.js';
import { Unreachable } from '../../unreachable.js';
import type { OpenApi } from '../api.js';
import type { Needs } from '../needs.js';
import { CommandAuditTrail } from './command-audit-trail.js';
import { openOwnService } from './own-service.js';
import { openTemporal } from './temporal.js';
import { toldStore } from './told-store.js';

/** The management service of the project in which the command is called, on its Temporal and its store. @throws Unreachable */
export async function openLocalApi(needs: Needs): Promise<OpenApi> {
  const project = await Project.find();
  const { modules, entities, components, distributed, dimensions } = await project.declared();
  const url = await databaseUrl(needs);
  const temporal = await openTemporal(needs);
  const warn = (message: string) => console.error(message);
  const store =
    url === undefined
      ? undefined
      : openStore({
          url,
          dimensions,
          secret: secretProperties(entities),
          payloads: findPayloadSettings(),
          ...retentionFrom(process.env),
        });
  const audit = store && new CommandAuditTrail(store.writer, warn);
  const rejections = store && new StoreRejections(store.writer, warn);
  const { client, execution } = temporal;
  const reeve = new ReeveClient({
    ...{ client, entities, components, distributed },
    taskQueue: project.taskQueue(),
    frozen: () => frozenWorkers(dataDirectoryFrom(), project.taskQueue()),
    ...(store && { recall: (question) => store.writer.recall(question) }),
  });
  const callbacks = await findCallbacks();
  const routing = new BuildRouting(client, deploymentFrom(process.env, project.taskQueue()));
  const service = openOwnService({
    ...{ reeve, modules, ...(execution && { execution }), ...(callbacks && { callbacks }) },
    rollout: () => readStatus(client, routing, project.taskQueue()),
    ...(store && url !== undefined && { store: toldStore(serviceStore(store), url) }),
    audit:
      audit && rejections
        ? auditTrails(audit, rejections)
        : { record: ({ access }) => noteUnaudited(access.action, warn) },
  });
  return {
    api: service.api,
    async close() {
      await service.close();
      await audit?.close();
      await rejections?.close();
      await store?.close();
      await temporal.close();
    },
  };
}

/** Where the store is. Events can be raised without one. */
async function databaseUrl(needs: Needs): Promise<string | undefined> {
  if (needs === 'nothing') return undefined;
  try {
    return await findDatabase();
  } catch (thrown) {
    const needed = needs === 'store' || needs === 'store first';
    if (!needed && configuredDatabase() === undefined) return undefined;
    throw new Unreachable(messageOf(thrown));
  }
}

function noteUnaudited(action: string, warn: (message: string) => void): void {
  if (action === 'read' || action === 'list') return;
  warn(`This '${action}' is not in the audit trail: there is no store. Set DATABASE_URL to the one of the workers.`);
}
