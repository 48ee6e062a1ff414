/*
 * Loaded once for a worker, before any workflow. For Temporal's call-stack view, the SDK takes a stack trace at every promise
 * that workflow code makes, by way of the constructor of `Promise`: half of the worker's CPU time. Here that way leads to an
 * error without a trace, and nothing else changes: errors that are thrown have their stack.
 */

/** The SDK's questions (`worker/lib/workflow/vm-shared.js`). Should it ask others one day, they are answered as without this. */
const answers: Readonly<Record<string, () => unknown>> = {
  'return globalThis.__TEMPORAL_ACTIVATOR__': () =>
    (globalThis as { __TEMPORAL_ACTIVATOR__?: unknown }).__TEMPORAL_ACTIVATOR__,
  'return globalThis.Error': () => Untraced,
};

class Untraced {}

const compile = Promise.constructor as FunctionConstructor;
Object.defineProperty(Promise, 'constructor', { value: (code: string) => answers[code] ?? compile(code) });
