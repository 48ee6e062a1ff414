import { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { randomBytes } from 'node:crypto';
import { connect } from '../../src/temporal/connection.js';
import { runService } from './run-service.js';
import { temporalExecutable } from './temporal-executable.js';

/** The Temporal service that all test files share, with a namespace of its own. */
export async function sharedTemporalService(): Promise<TestWorkflowEnvironment> {
  const { address } = await runService('temporal');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
  await environment.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  return withOwnConnection(environment);
}

/** A Temporal service of its own: for tests that need it otherwise, or gone. */
export async function startTemporalService(
  extraArgs: string[] = [],
  uiPort?: number,
): Promise<TestWorkflowEnvironment> {
  return withOwnConnection(
    await TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path: await temporalExecutable() },
        extraArgs,
        ...(uiPort !== undefined && { ui: true, uiPort }),
      },
    }),
  );
}

/**
 * Gives an environment a connection as Reeve makes it. One of the SDK's own tries a call again after it was closed, and its error,
 * which nobody can catch, would come in the next file.
 */
async function withOwnConnection(environment: TestWorkflowEnvironment): Promise<TestWorkflowEnvironment> {
  const { namespace } = environment.client.options;
  await environment.connection.close();
  const connection = await connect({ address: environment.address });
  return Object.assign(environment, { connection, client: new Client({ connection, namespace }) });
}
