import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { connect } from '../../src/temporal/connection.js';
import { temporalExecutable } from './temporal-executable.js';

/**
 * A Temporal service of its own, with a connection as Reeve makes it. One of the SDK's own tries a call again after it was closed,
 * and its error, which nobody can catch, would come in the next file.
 */
export async function startTemporalService(
  extraArgs: string[] = [],
  uiPort?: number,
): Promise<TestWorkflowEnvironment> {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: await temporalExecutable() },
      extraArgs,
      ...(uiPort !== undefined && { ui: true, uiPort }),
    },
  });
  const { namespace } = environment.client.options;
  await environment.connection.close();
  const connection = await connect({ address: environment.address });
  return Object.assign(environment, { connection, client: new Client({ connection, namespace }) });
}
