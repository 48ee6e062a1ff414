import { spawn } from 'node:child_process';
import { forgetProcess, recordProcess, type StopSignal } from './process-record.js';

/*
 * Runs a command for as long as the process that started it lives: `leash HOME NAME STOP_SIGNAL FORCE_AFTER_MS
 * COMMAND [ARG ...]`.
 *
 * The process that holds the leash keeps a pipe to our standard input. When that process ends, however it ends, the pipe closes,
 * and we stop the command, by force when it has not ended after that time. While the command runs, it is recorded in the data
 * directory under its name.
 */
const NOT_STARTED = 127;
const KILLED = 128;

const [home, name, stopSignal, forceAfterMs, command, ...args] = process.argv.slice(2);
if (!home || !name || !stopSignal || !command || !Number.isFinite(Number(forceAfterMs))) {
  throw new Error('usage: leash HOME NAME STOP_SIGNAL FORCE_AFTER_MS COMMAND [ARG ...]');
}
const place = { home, name };

// Only the owner may read what the command makes, as with the data directory: Temporal would let others read its database.
process.umask(0o077);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  child.kill(stopSignal as StopSignal);
  setTimeout(() => child.kill('SIGKILL'), Number(forceAfterMs)).unref();
}
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
// A terminal sends SIGINT and SIGHUP to the whole group. They do nothing here: the holder of the leash decides when it is time.
process
  .on('SIGINT', () => undefined)
  .on('SIGTERM', stop)
  .on('SIGHUP', () => undefined);

const ended = new Promise<number>((resolve) => {
  child.once('error', (error) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    resolve(NOT_STARTED);
  });
  child.once('exit', (code, signal) => resolve(code ?? (signal ? KILLED : 0)));
});
if (child.pid !== undefined) {
  await recordProcess(place, child.pid, stopSignal as StopSignal).catch((thrown: unknown) => {
    process.stderr.write(`${name} cannot be recorded in ${home}, so it is stopped: ${String(thrown)}\n`);
    stop();
  });
}
const code = await ended;
if (child.pid !== undefined) await forgetProcess(place, child.pid);
process.exit(code);
