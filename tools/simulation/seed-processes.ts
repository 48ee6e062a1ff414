import { fork, type ChildProcess } from 'node:child_process';
import type { Done, Work } from './seed-process.js';

/** Carries out work in `count` processes of its own. */
export class SeedProcesses {
  readonly #children: readonly ChildProcess[];

  /** @param script the path of `seed-process.js`, which may be that of a copy of the code */
  constructor(script: string, count: number) {
    this.#children = Array.from({ length: count }, () => fork(script, { stdio: 'inherit' }));
  }

  /** Carries out all works. Each process takes one after another. It stops early when `after` says so. */
  async perform(works: readonly Work[], after: (done: Done) => 'go on' | 'stop'): Promise<void> {
    const left = [...works];
    let stopped = false;
    const takeOver = async (child: ChildProcess): Promise<void> => {
      for (let work = left.shift(); work && !stopped; work = left.shift()) {
        if (after(await answer(child, work)) === 'stop') stopped = true;
      }
    };
    await Promise.all(this.#children.map(takeOver));
  }

  end(): void {
    for (const child of this.#children) child.kill();
  }
}

function answer(child: ChildProcess, work: Work): Promise<Done> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => {
      const { subject, from, count } = work;
      reject(new Error(`The process ended with ${code} in ${subject}, seeds ${from} to ${from + count - 1}.`));
    };
    child.once('exit', died);
    child.once('message', (done) => {
      child.off('exit', died);
      resolve(done as Done);
    });
    child.send(work);
  });
}
