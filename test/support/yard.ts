import pino from 'pino';
import { fileURLToPath } from 'node:url';
import { createApplication, type ApplicationOptions } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import { openStore } from '../../src/store/index.js';
import { Executor } from '../../src/temporal/distributed/executor.js';
import { Gate } from '../entities/gate.js';
import { Furnace, Lamp } from '../entities/lamp.js';
import { Vault } from '../entities/vault.js';
import { Farm } from './harvest.js';
import { startTestService, type TestService } from './service.js';
import { Shelf } from './shelf.js';

const PLACE = 'west';
const TARGET = 'farms/west';

/** Entities, deployments and distributed operations on a real service with a store, behind the management service with its page. */
export interface Yard extends TestService {
  readonly shelf: Shelf;
  readonly farm: Farm;
  /** The target of the farm's operations. */
  readonly target: string;
  /** Starts a management service; those that were not stopped are stopped with the yard. */
  serve(options?: Partial<ApplicationOptions>): Promise<RunningService>;
}

/** Starts a yard. @param url an empty database for the store */
export async function startYard(url: string, fields: number): Promise<Yard> {
  const built = (folder: string) => fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));
  const log = pino({ level: 'silent' });
  const shelf = new Shelf();
  const farm = new Farm(fields, [PLACE]);
  const store = openStore({ url, dimensions: ['tenant'] });
  await store.migrate();
  const service = await startTestService({
    workflows: 'entities/yard-workflows.ts',
    declarations: ['entities/vault.ts', 'entities/gate.ts', 'entities/harvest.ts', 'entities/lamp.ts'],
    entities: [Vault, Gate],
    components: [Lamp, Furnace],
    resources: [shelf.resource],
    records: store.writer,
    distributed: {
      operations: farm.logics,
      targets: { placement: async (name) => (name === TARGET ? farm.placement() : undefined) },
    },
  });
  const executor = new Executor({
    clientConnection: service.environment.connection,
    ...{ connection: service.environment.nativeConnection, namespace: service.namespace, place: PLACE },
    ...{ operations: farm.logics, ledger: farm.ledgers.get(PLACE)! },
  });
  const running = executor.run();
  const audit = new StoreAuditTrail(store.writer, log);
  const served: RunningService[] = [];
  return {
    ...{ ...service, shelf, farm, target: TARGET },
    async serve(options = {}) {
      const application = createApplication({
        ...{
          reeve: service.reeve,
          modules: [{ name: 'bank', version: 1, entities: [Vault, Gate] }],
          store: serviceStore(store),
        },
        ...{ log, audit, page: built('page'), diagrams: built('diagrams') },
        ...{ settings: { lookMs: [20, 200] } },
        ...options,
      });
      const started = await startService(application, { graceMs: 100 });
      served.push(started);
      return started;
    },
    async close() {
      for (const each of served) await each.stop();
      executor.shutdown();
      await running;
      await service.close();
      await audit.close();
      await store.close();
    },
  };
}
