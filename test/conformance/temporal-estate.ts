import { nameOf, type InstanceReading } from '../../src/distributed/index.js';
import { distributedWorkflowId } from '../../src/protocol/distributed-names.js';
import type { JobsRecord } from '../../src/protocol/jobs-record.js';
import type { ServedOperations } from '../../src/temporal/distributed/activities.js';
import { Executor } from '../../src/temporal/distributed/executor.js';
import type { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { Estate, type EstatePlane } from './estate.js';

/** Estates on a real service, each with executors at places of its own. */
export class TemporalEstates {
  readonly #estates = new Map<string, Estate>();
  readonly #executors = new Map<string, () => Promise<void>>();

  /** The code of the operations: that of the estate which the target names. */
  get served(): ServedOperations {
    const logicOf = (target: string, type: string) =>
      this.#estates.get(target)!.logics.find(({ operation }) => operation.type === type)!.logic;
    return {
      operations: new Estate(0).logics.map(({ operation, logic }) => ({
        operation,
        logic: {
          ...logic,
          check: async (target, argument, instance) =>
            logicOf(target, operation.type).check?.(target, argument, instance),
          complete: (target, argument, completing) =>
            logicOf(target, operation.type).complete(target, argument, completing),
        },
      })),
      targets: { placement: async (target) => this.#estates.get(target)?.placement() },
    };
  }

  /** @param told gives what the store was told of all jobs */
  open(
    { environment, namespace, reeve }: TestService,
    {
      target,
      fields,
      told,
    }: { readonly target: string; readonly fields: number; readonly told: () => readonly JobsRecord[] },
  ): EstatePlane {
    const estate = new Estate(
      fields,
      ['north', 'south', 'west'].map((place) => `${target}-${place}`),
    );
    this.#estates.set(target, estate);
    const start = (place: string) => {
      const executor = new Executor({
        clientConnection: environment.connection,
        ...{ connection: environment.nativeConnection, namespace, place },
        operations: estate.logics,
        ledger: estate.ledgers.get(place)!,
      });
      const running = executor.run();
      this.#executors.set(place, async () => {
        executor.shutdown();
        await running;
      });
    };
    estate.places.forEach(start);
    const { distributed } = reeve;
    const handle = (ref: Parameters<typeof nameOf>[0]) =>
      environment.client.workflow.getHandle(distributedWorkflowId(nameOf(ref)));
    return {
      ...{ estate, target },
      start: (type, argument, options) => distributed.start(type, target, argument, options),
      result: (ref) => distributed.result(ref),
      read: (ref): Promise<InstanceReading> => distributed.read(ref),
      running: async () => (await distributed.target(target)).running,
      pause: (ref) => distributed.pause(ref),
      resume: (ref) => distributed.resume(ref),
      limit: (ref, atOnce) => distributed.limit(ref, { atOnce }),
      cancel: (ref, reason) => distributed.cancel(ref, reason),
      proceed: (ref) => distributed.proceed(ref),
      retryJob: (ref, partition) => distributed.retryJob(ref, partition),
      moveJob: (ref, partition, place) => distributed.moveJob(ref, partition, place),
      told: () => told().filter((record) => record.target === target),
      async move(ref, field, to) {
        estate.move(field, to);
        await distributed.look(ref);
      },
      restart: async (place) => {
        await this.#executors.get(place)!();
        start(place);
      },
      leave: async (place) => this.#executors.get(place)!(),
      arrive: async (place) => start(place),
      renew: async (ref) => {
        const execution = { workflowId: distributedWorkflowId(nameOf(ref)) };
        await environment.client.workflowService.resetStickyTaskQueue({ namespace, execution });
      },
      end: async (ref) => {
        await handle(ref).terminate();
      },
      calm: () => undefined,
      records: async () => (await Promise.all([...estate.ledgers.values()].map((ledger) => ledger.records()))).flat(),
      until: (check) =>
        until(async () => {
          if (!(await check())) throw new Error('It has not come to pass.');
        }),
    };
  }

  /** The executors of an estate, or of all, end. */
  async close(target?: string): Promise<void> {
    const ending = [...this.#executors].filter(([place]) => target === undefined || place.startsWith(`${target}-`));
    for (const [place] of ending) this.#executors.delete(place);
    await Promise.all(ending.map(([, stop]) => stop()));
  }
}
