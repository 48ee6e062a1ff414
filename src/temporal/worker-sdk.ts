import type * as WorkerSdk from '@temporalio/worker';
import { createRequire } from 'node:module';
import { optionalPackage } from '../packages/optional-package.js';

const require = createRequire(import.meta.url);

/**
 * Temporal's SDK for workers. It weighs 200 MB and takes half a second to load, so whoever only declares entities or raises events
 * does without it.
 * @throws MissingPackage when it is not installed
 */
export function workerSdk(): typeof WorkerSdk {
  return fromWorkerSdk('');
}

/**
 * One of the modules of Temporal's SDK for workers that it does not export.
 * @throws MissingPackage when it is not installed
 */
export function fromWorkerSdk<T>(path: '' | `/lib/${string}`): T {
  const wanted = { name: '@temporalio/worker', use: 'Reeve runs workers and bundles workflow code with it' };
  return optionalPackage(wanted, () => require(`${wanted.name}${path}`) as T);
}
