import { pathToFileURL } from 'node:url';
import type { LambdaHandler } from './lambda.js';

/*
 * One invocation of a function, in a process of its own, so that no memory survives it: `node invocation.js MODULE REQUEST_ID ARN TIMEOUT_MS`.
 * The time-out counts from when the handler is entered, as the platform counts it. The parent is told of that, and of the end.
 */
const [module, requestId, arn, timeoutMs] = process.argv.slice(2) as [string, string, string, string];
const loaded = (await import(pathToFileURL(module).href)) as { readonly handler: LambdaHandler };
const end = Date.now() + Number(timeoutMs);
process.send?.('entered');
// The id and the address are there for the project's own code.
const context = {
  awsRequestId: requestId,
  invokedFunctionArn: arn,
  getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
};
await loaded.handler({}, context);
process.exit(0);
