import { createRequire } from 'node:module';
import { afterAll, expect } from 'vitest';

/** The SDK's own hooks, which it does not export. */
const { globalHandlers } = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared.js') as {
  readonly globalHandlers: { readonly installed: boolean; uninstall(): void };
};

/** Reads all that a file must leave as it found it, for others that share its process. Listeners for signals are Temporal's own, and come with the first worker. */
function shared() {
  const { Date, fetch, setTimeout, setInterval, queueMicrotask } = globalThis;
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    mask: process.umask(),
    globals: { Date, fetch, setTimeout, setInterval, queueMicrotask, log: console.log, error: console.error },
    rejections: process.listeners('unhandledRejection'),
    exceptions: process.listeners('uncaughtException'),
    warnings: process.listeners('warning'),
  };
}

const before = shared();
// Hooks end in the reverse order, so all others have run by then.
afterAll(() => expect(shared(), 'This file leaves something behind for the next one in its process').toEqual(before));

// A replay runs workflow code in this process, and the SDK leaves behind hooks that compile code for each promise from then on, and a
// listener that throws each rejection that nobody handles, whatever file it comes from.
afterAll(() => {
  if (globalHandlers.installed) globalHandlers.uninstall();
  for (const listener of process.listeners('unhandledRejection')) {
    if (String(listener).includes('could not be associated to a Workflow Run'))
      process.off('unhandledRejection', listener);
  }
});
