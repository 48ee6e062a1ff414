import { Command } from 'commander';

/** Makes a command's action from a function that gives the exit code. Errors go to standard error. */
export function run<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  return async (...given: Args): Promise<void> => {
    const args = withOptionsOfAll(given);
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

/** An option that a command and the one above it both have, such as `--json`, is read by the one above: both count. */
function withOptionsOfAll<Args extends readonly unknown[]>(args: Args): Args {
  const command = args.at(-1);
  return command instanceof Command ? (args.with(-2, command.optsWithGlobals()) as readonly unknown[] as Args) : args;
}

/** Whether this is an object of options with `--json`. */
function asksForJson(arg: unknown): boolean {
  return typeof arg === 'object' && arg !== null && 'json' in arg && arg.json === true;
}
