import { spawn } from 'node:child_process';
import { writeFileSync, rmSync } from 'node:fs';

/*
 * Runs a command for as long as the process that started it lives: `leash PID_FILE STOP_SIGNAL COMMAND [ARG ...]`.
 *
 * The one that holds the leash keeps a pipe to our standard input. When it ends, however it ends, the pipe closes, and
 * the command is stopped.
 */
const FORCE_AFTER_MS = 15_000;

const [pidFile, stopSignal, command, ...args] = process.argv.slice(2);
if (!pidFile || !stopSignal || !command) throw new Error('usage: leash PID_FILE STOP_SIGNAL COMMAND [ARG ...]');

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));

child.once('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code, signal) => {
  rmSync(pidFile, { force: true });
  process.exit(code ?? (signal ? 128 : 0));
});

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  child.kill(stopSignal as NodeJS.Signals);
  setTimeout(() => child.kill('SIGKILL'), FORCE_AFTER_MS).unref();
}
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
// A terminal sends these to the whole group; only the holder of the leash decides when it is time.
process
  .on('SIGINT', () => undefined)
  .on('SIGTERM', stop)
  .on('SIGHUP', () => undefined);
