/*
 * Loaded once for a worker, before any workflow. For Temporal's call-stack view, the SDK takes a stack trace in the constructor
 * of every promise of workflow code, which costs half of the worker's CPU time. Here it gets an error without a trace instead.
 * Nothing else changes: errors that are thrown have their stack.
 */

/** The SDK's questions (`worker/lib/workflow/vm-shared.js`). Any other question is answered as without this module. */
const answers: Readonly<Record<string, () => unknown>> = {
  'return globalThis.__TEMPORAL_ACTIVATOR__': () =>
    (globalThis as { __TEMPORAL_ACTIVATOR__?: unknown }).__TEMPORAL_ACTIVATOR__,
  'return globalThis.Error': () => Untraced,
};

class Untraced {}

const compile = Promise.constructor as FunctionConstructor;
Object.defineProperty(Promise, 'constructor', { value: (code: string) => answers[code] ?? compile(code) });
