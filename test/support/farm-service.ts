import type { ServedOperations } from '../../src/temporal/distributed/activities.js';
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
  const stopExecutor = startFarmExecutor(service, farm, PLACE);
  return {
    ...{ ...service, farm, target: TARGET },
    async close() {
      await stopExecutor();
      await service.close();
    },
  };
}

/** Starts an executor at a place of a farm. Gives what stops it. */
export function startFarmExecutor(
  { environment, namespace }: Pick<TestService, 'environment' | 'namespace'>,
  { logics, ledgers }: Farm,
  place: string,
): () => Promise<void> {
  const executor = new Executor({
    clientConnection: environment.connection,
    ...{ connection: environment.nativeConnection, namespace, place },
    operations: logics,
    ledger: ledgers.get(place)!,
  });
  const running = executor.run();
  return async () => {
    executor.shutdown();
    await running;
  };
}

/** The operations of many farms. The farm that a target names has the code. */
export function servedFarms(farms: ReadonlyMap<string, Farm>): ServedOperations {
  const codeOf = (name: string, type: string) =>
    farms.get(name)!.logics.find(({ operation }) => operation.type === type)!.logic;
  return {
    operations: new Farm(0).logics.map(({ operation, logic }) => ({
      operation,
      logic: {
        ...logic,
        check: (name: string, ...rest: never[]) =>
          codeOf(name, operation.type).check?.(name, ...(rest as [never, never])),
        complete: (name: string, ...rest: never[]) =>
          codeOf(name, operation.type).complete(name, ...(rest as [never, never])),
      } as never,
    })),
    targets: { placement: async (name) => farms.get(name)?.placement() },
  };
}
