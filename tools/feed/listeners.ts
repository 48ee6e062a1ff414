import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LINE } from './line.js';
import type { ListenerSettings } from './listener.js';

const SCRIPT = fileURLToPath(new URL('listener.js', import.meta.url));

/** A change that a listener has heard, with its life, version and action. */
export interface Heard {
  readonly life: string;
  readonly version: number;
  readonly action: string;
}

/** Listeners, each in a process of its own, that are killed and started again. */
export class Listeners {
  readonly #all: { readonly settings: ListenerSettings; process: ChildProcess }[] = [];
  #kills = 0;

  constructor(service: string, folder: string, count: number) {
    for (let index = 0; index < count; index++) {
      const name = `listener-${index}`;
      // Half of them want to hear of one type alone.
      const types = index % 2 === 0 ? {} : { types: ['Counter'] };
      const settings: ListenerSettings = { service, name, file: join(folder, name), ...types };
      this.#all.push({ settings, process: start(settings) });
    }
  }

  get count(): number {
    return this.#all.length;
  }

  /** How often one of them was killed. */
  get kills(): number {
    return this.#kills;
  }

  /** Kills one with SIGKILL, and starts it again. */
  async kill(index: number): Promise<void> {
    const listener = this.#all[index]!;
    await end(listener.process);
    this.#kills++;
    listener.process = start(listener.settings);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ process }) => end(process)));
  }

  /** Lists what one of them has heard so far, in its order. */
  async heard(index: number): Promise<readonly Heard[]> {
    const text = await readFile(this.#all[index]!.settings.file, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => {
      const [, life, version, action] = LINE.exec(line) ?? [];
      return life === undefined ? [] : [{ life, version: Number(version), action: action! }];
    });
  }
}

function start(settings: ListenerSettings): ChildProcess {
  return fork(SCRIPT, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  await exited;
}
