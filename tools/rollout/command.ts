import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RolloutStatus } from '../../src/rollout/index.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { DEPLOYMENT, type Rig } from '../replay/rig.js';

const REEVE = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** `reeve rollout` as a process of its own, so that it can be killed. */
export class RolloutCommand {
  readonly #env: NodeJS.ProcessEnv;
  readonly #report: (line: string) => void;

  constructor({ address, databaseUrl, home }: Rig, report: (line: string) => void) {
    this.#env = {
      ...process.env,
      ...{ TEMPORAL_ADDRESS: address, DATABASE_URL: databaseUrl, REEVE_DATA_DIR: home, NO_COLOR: '1' },
      ...{ REEVE_DEPLOYMENT: DEPLOYMENT, REEVE_TASK_QUEUE: DEFAULT_TASK_QUEUE },
    };
    this.#report = report;
  }

  start(...words: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [REEVE, 'rollout', ...words], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.on('data', (data) => this.#report(String(data)));
    return child;
  }

  /** Runs it to its end. Gives what it has printed, and its exit code. */
  async run(...words: readonly string[]): Promise<{ readonly printed: string; readonly code: number | null }> {
    const child = this.start(...words);
    let printed = '';
    child.stdout?.on('data', (data) => (printed += String(data)));
    await once(child, 'close');
    return { printed: printed.trim(), code: child.exitCode };
  }

  async status(): Promise<RolloutStatus> {
    return JSON.parse((await this.run('status', '--json')).printed) as RolloutStatus;
  }
}
