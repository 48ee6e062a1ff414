import { Executor } from '../../src/temporal/distributed/executor.js';
import { Farm } from './harvest.js';
import { startTestService, type TestService } from './service.js';

/** A farm on a real Temporal service, with an executor at its one place. */
export interface FarmService extends TestService {
  readonly farm: Farm;
  /** The name of the farm, with a slash in it. */
  readonly target: string;
}

const TARGET = 'farms/west';
const PLACE = 'west';

export async function startFarmService(fields: number): Promise<FarmService> {
  const farm = new Farm(fields, [PLACE]);
  const service = await startTestService({
    workflows: 'entities/harvest-workflows.ts',
    declarations: ['entities/harvest.ts'],
    entities: [],
    resources: [],
    distributed: {
      operations: farm.logics,
      targets: { placement: async (name) => (name === TARGET ? farm.placement() : undefined) },
    },
  });
  const executor = new Executor({
    clientConnection: service.environment.connection,
    ...{ connection: service.environment.nativeConnection, namespace: service.namespace, place: PLACE },
    operations: farm.logics,
    ledger: farm.ledgers.get(PLACE)!,
  });
  const running = executor.run();
  return {
    ...{ ...service, farm, target: TARGET },
    async close() {
      executor.shutdown();
      await running;
      await service.close();
    },
  };
}
