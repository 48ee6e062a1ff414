import type { RuntimeOptions } from '@temporalio/worker';
import { workerSdk } from '../temporal/worker-sdk.js';

/**
 * Installs the runtime of the Temporal SDK. Its metrics are served at `address`, if given.
 * @throws when it cannot listen there, with what to set
 */
export function installRuntime({ telemetryOptions, ...options }: RuntimeOptions, address: string | undefined): void {
  const { Runtime } = workerSdk();
  if (address === undefined) return void Runtime.install({ ...options, ...(telemetryOptions && { telemetryOptions }) });
  const metrics = { prometheus: { bindAddress: address, useSecondsForDurations: true } };
  try {
    Runtime.install({ ...options, telemetryOptions: { ...telemetryOptions, metrics } });
  } catch (thrown) {
    throw new Error(
      `The metrics of the Temporal SDK cannot be served at ${address}: ${(thrown as Error).message}. ` +
        `End what listens there, or set another address: REEVE_TEMPORAL_METRICS.`,
      { cause: thrown },
    );
  }
}
