import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { isOfRefusedRead } from '../src/telemetry/temporal-logger.js';
import { needsNewWorker } from '../src/temporal/core-defects.js';

/**
 * Sets the SDK up for a process that is ended in the middle of its work: it tells errors with their causes, ends when its core has
 * broken, and dies with the process that has started it. Signals are left to the process.
 */
export function installMortalRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR', ({ message, meta = {} }) => {
      if (isOfRefusedRead(message, meta)) return;
      const { workflowId, error } = meta as { readonly workflowId?: string; readonly error?: unknown };
      const cause = error instanceof Error ? error.stack : error;
      console.error([message, workflowId, cause].filter((part) => part !== undefined).join(': '));
      if (needsNewWorker(message)) process.exit(1);
    }),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
    shutdownSignals: [],
  });
  process.once('disconnect', () => process.exit(1));
}
