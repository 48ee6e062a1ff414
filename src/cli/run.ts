/** Makes a command's action from a function that gives the exit code. Errors go to standard error. */
export function run<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  return async (...args: Args): Promise<void> => {
    try {
      process.exitCode = await command(...args);
    } catch (thrown) {
      // This module knows all failures of everything that can be away, so it is loaded only when it is needed.
      const { failureOf } = await import('./failure.js');
      const { exitCode, forPeople, forPrograms } = failureOf(thrown);
      console.error(args.some(asksForJson) ? JSON.stringify(forPrograms) : forPeople);
      process.exitCode = exitCode;
    }
  };
}

/** Whether this is an object of options with `--json`. */
function asksForJson(arg: unknown): boolean {
  return typeof arg === 'object' && arg !== null && 'json' in arg && arg.json === true;
}
