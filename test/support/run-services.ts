import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which tests ask for the services of the run. */
    runServices: string;
  }
}

/** Lets test files share services, which start when they are needed and end with the run. */
export default async function runServices(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['test/support/run-services.mjs'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  project.provide('runServices', address);
  return async () => {
    child.stdin.end();
    await ended;
  };
}
