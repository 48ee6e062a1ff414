import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { bundlesOfSources } from './bundle-folder.js';
import { temporalExecutable } from './temporal-executable.js';

/** What takes minutes the first time is done before any test has to wait for it. */
export default async function build(project: TestProject): Promise<void> {
  // Tests that start real processes start what the build gives.
  execFileSync(process.execPath, ['infra/bootstrap.mjs', 'build'], { stdio: 'inherit' });
  project.provide('bundles', bundlesOfSources());
  await temporalExecutable();
}
