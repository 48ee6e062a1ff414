import { run } from './run.js';

/**
 * Makes a command's action of what runs as a process of its own. It ends when that ends, also where something that has not been
 * closed would keep it: a worker that could not start has to be started again.
 */
export function runProcess<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  const perform = run(command);
  return async (...args: Args): Promise<void> => {
    await perform(...args);
    process.exit();
  };
}
