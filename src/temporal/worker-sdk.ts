import type * as WorkerSdk from '@temporalio/worker';
import { createRequire } from 'node:module';
import { optionalPackage } from '../packages/optional-package.js';

const require = createRequire(import.meta.url);

const WANTED = { name: '@temporalio/worker', use: 'Reeve runs workers and bundles workflow code with it' };

/** Checks that Temporal's SDK for workers is installed, without loading it. @throws MissingPackage */
export function requireWorkerSdk(): void {
  optionalPackage(WANTED, () => require.resolve(WANTED.name));
}

/**
 * Loads Temporal's SDK for workers. It weighs 200 MB and takes half a second to load, so programs that only declare entities or raise
 * events do not need it.
 * @throws MissingPackage when it is not installed
 */
export function workerSdk(): typeof WorkerSdk {
  return fromWorkerSdk('');
}

/**
 * Loads a module of Temporal's SDK for workers that it does not export.
 * @throws MissingPackage when it is not installed
 */
export function fromWorkerSdk<T>(path: '' | `/lib/${string}`): T {
  return optionalPackage(WANTED, () => require(`${WANTED.name}${path}`) as T);
}
