import { execFileSync } from 'node:child_process';
import { temporalExecutable } from './temporal-executable.js';

/** Does what takes minutes the first time, before any test has to wait for it. */
export default async function build(): Promise<void> {
  // Tests that start real processes start what the build gives.
  execFileSync(process.execPath, ['infra/bootstrap.mjs', 'build'], { stdio: 'inherit' });
  await temporalExecutable();
}
