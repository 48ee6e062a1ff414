import { createRequire } from 'node:module';
import { afterAll } from 'vitest';

/** The SDK's own hooks, which it does not export. */
const { globalHandlers } = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared.js') as {
  readonly globalHandlers: { readonly installed: boolean; uninstall(): void };
};

// A replay runs workflow code in this process, and the SDK leaves hooks behind that compile code for each promise from then on.
afterAll(() => {
  if (globalHandlers.installed) globalHandlers.uninstall();
});
