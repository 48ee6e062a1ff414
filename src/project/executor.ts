import { findService } from '../stack/service.js';
import { openLog } from '../telemetry/log.js';
import { temporalLogger } from '../telemetry/temporal-logger.js';
import { allEnded } from '../temporal/all-ended.js';
import { Executor } from '../temporal/distributed/executor.js';
import { workerSdk } from '../temporal/worker-sdk.js';
import { openContext } from './process-context.js';
import type { Project } from './project.js';
import { ProjectError, together } from './project-error.js';
import { exitWhereUnfinished } from './unfinished.js';

/**
 * Does the jobs of a project's operations over partitions, at the places that are named or at all of them, until it gets SIGTERM or
 * SIGINT. It takes no more jobs then, and ends when those under way have noted how far they are. I1
 * @throws ProjectError with all that is wrong in the project; also for a place that is not there
 */
export async function runExecutor(project: Project, named: readonly string[]): Promise<void> {
  const [open] = await together([project.openExecutor(), project.declared()]);
  const log = openLog('executor', process.env);
  const { makeTelemetryFilterString, NativeConnection, Runtime } = workerSdk();
  Runtime.install({
    logger: temporalLogger(log, 'WARN'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
  const location = await findService();
  const { connectionOptions, namespace, payloads } = location;
  const context = await openContext(project, location, log);
  const { places: known, operations, ledger, atOnce, close } = await open(context);
  const native = await NativeConnection.connect(connectionOptions);
  try {
    refuseUnknown(named, known);
    const places = named.length > 0 ? named : known;
    const executors = places.map(
      (place) =>
        new Executor({
          ...{
            connection: native,
            clientConnection: context.connection,
            namespace,
            payloads,
            taskQueue: project.taskQueue(),
            place,
            operations,
          },
          ledger: ledger(place),
          ...(atOnce !== undefined && { atOnce }),
        }),
    );
    const shutdown = () => {
      for (const executor of executors) executor.shutdown();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, shutdown);
    log.info({ places }, 'does the jobs of these places');
    // When one place cannot be served any more, the others are left too, and the process is started again.
    await allEnded(executors.map((executor) => executor.run().finally(shutdown))).catch(exitWhereUnfinished(log));
  } finally {
    await close?.();
    await native.close();
    await context.close();
  }
}

function refuseUnknown(named: readonly string[], known: readonly string[]): void {
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const mistakes = unknown.map((name) => ({
    place: `--place ${name}`,
    problem: 'is not there',
    remedy: `Name one of: ${known.join(', ')}.`,
  }));
  throw new ProjectError(mistakes);
}
