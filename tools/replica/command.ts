import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplicaStatus } from '../../src/store/replica/index.js';

/** The output of a command, and its exit code. */
export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const AGAIN_AFTER_MS = 500;

/** `reeve replica` as a user calls it, in the root of the clone. */
function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [resolve('infra/reeve.mjs'), 'replica', ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the command to its end. */
export async function reeveReplica(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const child = start(args, env);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => (printed[stream] += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}

/** The command as a service manager keeps it: started again whenever it has ended, for whatever reason. */
export class KeptCommand {
  readonly #env: NodeJS.ProcessEnv;
  readonly #running: Promise<void>;
  #child: ChildProcess | undefined;
  #stopped = false;
  #printed = '';

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    this.#running = this.#run();
  }

  /** All that it has printed, on both streams. */
  get printed(): string {
    return this.#printed;
  }

  /** How the replica was, each time that it said so. */
  get statuses(): readonly ReplicaStatus[] {
    return this.#printed
      .split('\n')
      .filter((line) => line.startsWith('{"name"'))
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as ReplicaStatus];
        } catch {
          // A kill came in the middle of it.
          return [];
        }
      });
  }

  /** Ends it with SIGKILL; it is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.kill();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const child = start(['--json'], this.#env);
      this.#child = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text));
      }
      await once(child, 'close');
      this.#printed += '\n';
      if (!this.#stopped) await delay(AGAIN_AFTER_MS);
    }
  }
}
