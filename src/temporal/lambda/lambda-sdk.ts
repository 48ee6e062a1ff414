import type * as LambdaSdk from '@temporalio/lambda-worker';
import { createRequire } from 'node:module';
import { optionalPackage } from '../../packages/optional-package.js';

const require = createRequire(import.meta.url);
const WANTED = {
  name: '@temporalio/lambda-worker',
  use: 'Reeve runs workers in AWS Lambda with it',
  otherwise: "Its 'overrides' in package.json, which 'reeve init' writes, keep a second copy of Temporal's SDK away",
};

/**
 * Temporal's package for workers in AWS Lambda.
 * @throws MissingPackage when it is not installed
 */
export function lambdaSdk(): typeof LambdaSdk {
  return optionalPackage(WANTED, () => require('@temporalio/lambda-worker') as typeof LambdaSdk);
}
