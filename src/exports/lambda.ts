/*
 * `reeve/lambda`: a worker of a project as a function of AWS Lambda.
 */
export { lambdaHandler, type Invocation, type LambdaHandler } from '../project/lambda.js';
