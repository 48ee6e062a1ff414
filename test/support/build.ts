import { execFileSync } from 'node:child_process';

/** Tests that start real processes start what the build gives. */
export default function build(): void {
  execFileSync(process.execPath, ['infra/bootstrap.mjs', 'build'], { stdio: 'inherit' });
}
