import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Output } from './reeve-command.js';

const HOST = fileURLToPath(new URL('./command-host.mjs', import.meta.url));
const idle: ChildProcess[] = [];

type Told = { readonly code: number } | { readonly name: 'stdout' | 'stderr'; readonly text: string };

/**
 * The command like `runReeve`, in a process that has run other commands before: hundreds of them take seconds. What belongs to the
 * process itself, such as its end and its signals, is a matter for `runReeve`.
 */
export async function callReeve(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
  hear: (text: string) => void = () => undefined,
): Promise<Output> {
  const host = idle.pop() ?? startHost();
  const printed = { stdout: '', stderr: '' };
  const ended = new AbortController();
  const died = once(host, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`The process of 'reeve ${args.join(' ')}' has ended. It has printed: ${JSON.stringify(printed)}`);
  });
  const answered = new Promise<Output>((resolve) => {
    const listen = (told: Told) => {
      if ('name' in told) {
        printed[told.name] += told.text;
        if (told.name === 'stdout') hear(told.text);
        return;
      }
      host.off('message', listen);
      resolve({ code: told.code, ...printed });
    };
    host.on('message', listen);
  });
  const environment = { ...process.env, NO_COLOR: '1', ...env };
  host.send({ args, cwd, env: JSON.parse(JSON.stringify(environment)) as object });
  try {
    return await Promise.race([answered, died]);
  } finally {
    ended.abort();
    died.catch(() => undefined);
    if (host.exitCode === null && host.signalCode === null) idle.push(host);
  }
}

/** It ends when we do. */
function startHost(): ChildProcess {
  const host = fork(HOST, {
    // Not those of the tests.
    execArgv: [],
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  host.unref();
  host.channel?.unref();
  return host;
}
