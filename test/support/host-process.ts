import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readHostFile } from '../../activities/host/host-file.js';
import { until } from './until.js';

const MAIN = fileURLToPath(new URL('../../dist/activities/host/main.js', import.meta.url));

/** The resource host as a process of its own, so that it can be killed. */
export class HostProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Does not wait until it has started. */
  static spawn(home: string): HostProcess {
    const env = { ...process.env, REEVE_DATA_CLUSTERS: 'main,east,west', REEVE_DATA_DIR: home };
    return new HostProcess(spawn(process.execPath, [MAIN], { env, stdio: 'ignore' }));
  }

  static async start(home: string): Promise<HostProcess> {
    const host = HostProcess.spawn(home);
    await until(async () => {
      const described = await readHostFile(home);
      if (described?.pid !== host.#child.pid) throw new Error('the resource host has not started yet');
    });
    return host;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill(signal);
    await once(this.#child, 'exit');
  }
}
