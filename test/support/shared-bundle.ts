import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { writeFileAtomically } from '../../src/stack/files.js';
import { awaitLock } from '../../src/stack/lock.js';
import { bundleWorkflows, type WorkflowSources } from '../../src/temporal/bundle.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundles that were made of the sources as they are. */
    bundles: string;
  }
}

/** Bundles like `bundleWorkflows`, once for all test files of the same sources: that takes seconds of CPU time each. */
export async function sharedBundle(sources: WorkflowSources): Promise<WorkflowBundleWithSourceMap> {
  const name = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const file = join(inject('bundles'), `${name}.json`);
  const found = await kept(file);
  if (found) return found;
  const { release } = await awaitLock(`${file}.lock`, () => undefined);
  try {
    const meanwhile = await kept(file);
    if (meanwhile) return meanwhile;
    const bundle = await bundleWorkflows(sources);
    await writeFileAtomically(file, JSON.stringify(bundle));
    return bundle;
  } finally {
    await release();
  }
}

async function kept(file: string): Promise<WorkflowBundleWithSourceMap | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as WorkflowBundleWithSourceMap;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}
