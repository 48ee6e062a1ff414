import { lambdaHandler } from '../src/exports/lambda.js';
import { serveHost } from './worker.js';
import { controlPlaneProject } from './project.js';

/** The worker of the reference control plane as a function of AWS Lambda, which Temporal's Worker Controller invokes. Q3 */
export const handler = await lambdaHandler(await controlPlaneProject(), serveHost);
