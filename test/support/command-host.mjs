/*
 * Runs commands of the command line one after another, each with its own words, environment and folder, as its parent asks. What
 * all commands load, which takes seconds, is loaded once.
 */
import { createProgram } from '../../dist/src/cli/program.js';

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}
// A command that ends its process ends only itself here.
process.exit = (code) => {
  throw new Exit(Number(code ?? process.exitCode ?? 0));
};
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => process.send({ name, text: String(text) });
}
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', async ({ args, env, cwd }) => {
  process.chdir(cwd);
  process.env = env;
  process.exitCode = 0;
  const code = await run(args);
  process.exitCode = 0;
  process.send({ code });
});

async function run(args) {
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (thrown) {
    if (thrown instanceof Exit) return thrown.code;
    // An error that a command does not catch ends its process with the stack.
    console.error(thrown);
    return 1;
  }
}
