import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from './files.js';
import { identify, isRunning } from './processes.js';
import { parseStackDescription, type StackDescription } from './stack-description.js';
import { messageOf } from '../definition/thrown.js';

export type { StackDescription };

/*
 * The data directory has everything that a stack keeps and that survives its restart.
 *   stack.json      how the running stack is reached
 *   callback-keys   the keys that sign the addresses of calls that are answered from outside
 *   outbox/         what people are asked, with the addresses of their answers
 *   payload-keys.json   the keys by which payloads are encrypted, where they are
 *   callback-url    the address of the service, as it stands in those addresses
 *   api-port        the port of the service, the same across restarts unless another program has taken it
 *   builds/         the workflow code of each build on which something runs
 *   run/            its lock, and the process ids of its children
 *   log/            what the children print
 *   temporal/, postgres/, resources/   the data of the children
 */

/** Warns of a variable that other versions read: it would be ignored silently, and a stack would start on another data directory. */
export function warnOfOldVariable(env: NodeJS.ProcessEnv): void {
  if (env['REEVE_HOME'] === undefined || env['REEVE_DATA_DIR'] !== undefined) return;
  console.error('warning: REEVE_HOME has no effect. Set REEVE_DATA_DIR to choose the data directory.');
}

/** Returns the absolute path of the data directory: `REEVE_DATA_DIR`, or `.reeve` in the current folder. */
export function dataDirectoryFrom(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['REEVE_DATA_DIR'] || '.reeve');
}

/** Makes the data directory so that only its owner can read it. @throws when nothing can be written there */
export async function prepareDataDirectory(home: string): Promise<void> {
  try {
    for (const folder of ['run', 'log', 'temporal']) {
      await mkdir(join(home, folder), { recursive: true, mode: 0o700 });
      await access(join(home, folder), constants.W_OK | constants.X_OK);
    }
    await access(home, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw unusable(home, 'written', thrown);
  }
}

/** The running stack of a data directory, or `undefined` when none runs. @throws when the folder cannot be read, or its description is damaged */
export async function readStack(home: string): Promise<StackDescription | undefined> {
  const text = await readFile(join(home, 'stack.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(home, 'read', error);
  });
  if (text === undefined) return undefined;
  const { started, ...stack } = parseStackDescription(join(home, 'stack.json'), text);
  return (await isRunning({ pid: stack.pid, started })) ? stack : undefined;
}

/** Writes how the stack of this process is reached. Only the owner can read that, since the URL of the database is a secret. */
export async function writeStack(home: string, stack: StackDescription): Promise<void> {
  const content = { ...stack, ...(await identify(stack.pid)) };
  await writeFileAtomically(join(home, 'stack.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Adds to how a running stack is reached where its service answers. Nothing is added once the stack is gone. */
export async function announceService(home: string, serviceUrl: string): Promise<void> {
  const stack = await readStack(home);
  if (stack) await writeStack(home, { ...stack, serviceUrl });
}

export async function removeStack(home: string): Promise<void> {
  await rm(join(home, 'stack.json'), { force: true });
}

function unusable(home: string, how: 'read' | 'written', cause: unknown): Error {
  const reason = messageOf(cause);
  return new Error(
    `The data directory ${home} cannot be ${how} (${reason}). Fix that, or set REEVE_DATA_DIR to another directory.`,
    { cause },
  );
}
