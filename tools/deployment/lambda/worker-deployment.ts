import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TemporalService } from '../temporal-service.js';
import { EXTERNAL_ID } from './lambda-api.js';

const run = promisify(execFile);
const ACCOUNT = '123456789012';

/** Tells Temporal's Worker Controller of a function, as `docs/operate/lambda.md` says, and makes its version the current one. */
export async function deployFunction(
  { address, executable }: TemporalService,
  deployment: string,
  buildId: string,
): Promise<void> {
  const command = (name: string, ...args: readonly string[]) =>
    run(executable, ['worker', 'deployment', name, '--address', address, ...args]);
  await command('create', '--name', deployment);
  await command(
    'create-version',
    ...['--deployment-name', deployment, '--build-id', buildId],
    ...['--aws-lambda-function-arn', `arn:aws:lambda:us-east-1:${ACCOUNT}:function:reeve-worker:1`],
    ...['--aws-lambda-assume-role-arn', `arn:aws:iam::${ACCOUNT}:role/reeve-invoke`],
    ...['--aws-lambda-assume-role-external-id', EXTERNAL_ID],
  );
  await command(
    'set-current-version',
    ...['--deployment-name', deployment, '--build-id', buildId, '--yes', '--allow-no-pollers'],
  );
}
