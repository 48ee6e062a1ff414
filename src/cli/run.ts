/** Makes a command's action from a function that gives the exit code. Errors go to standard error. */
export function run<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  return async (...args: Args): Promise<void> => {
    try {
      process.exitCode = await command(...args);
    } catch (thrown) {
      const { ownFailure } = await import('./failure.js');
      // What knows the errors of Temporal and PostgreSQL takes half a second to load, unless one of them was thrown.
      const failure = ownFailure(thrown) ?? (await import('./any-failure.js')).failureOf(thrown);
      const { exitCode, forPeople, forPrograms } = failure;
      console.error(args.some(asksForJson) ? JSON.stringify(forPrograms) : forPeople);
      process.exitCode = exitCode;
    }
  };
}

/** Whether this is an object of options with `--json`. */
function asksForJson(arg: unknown): boolean {
  return typeof arg === 'object' && arg !== null && 'json' in arg && arg.json === true;
}
