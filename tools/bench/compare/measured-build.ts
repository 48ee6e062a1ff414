import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Values } from '../case.js';
import type { BuildAnswer, BuildRequest } from './messages.js';

const SCRIPT = fileURLToPath(new URL('./build-process.js', import.meta.url));

/** A build that is measured, in a process of its own. */
export interface MeasuredBuild {
  /** Prepares a case. Gives the number of its rounds for warming up. */
  prepare(name: string): Promise<number>;
  round(round: number): Promise<Values>;
  stop(): Promise<void>;
}

/** Starts a build's service, store and worker. Ends when all of them are up. */
export async function startBuild(folder: string): Promise<MeasuredBuild> {
  const running = fork(SCRIPT, [folder], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await hear(running, 'ready');
  const ask = <Name extends BuildAnswer['said']>(request: BuildRequest, said: Name) => {
    const answer = hear(running, said);
    running.send(request);
    return answer;
  };
  return {
    prepare: async (name) => (await ask({ ask: 'prepare', case: name }, 'prepared')).warmUps,
    round: async (round) => (await ask({ ask: 'round', round }, 'measured')).values,
    async stop() {
      const ended = once(running, 'exit');
      running.disconnect();
      await ended;
    },
  };
}

type Said<Name extends BuildAnswer['said']> = Extract<BuildAnswer, { said: Name }>;

function hear<Name extends BuildAnswer['said']>(running: ChildProcess, said: Name): Promise<Said<Name>> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => reject(new Error(`The build's process ended with ${code ?? 'a signal'}.`));
    running.once('exit', died).once('message', (answer: BuildAnswer) => {
      running.off('exit', died);
      if (answer.said === said) resolve(answer as Said<Name>);
      else reject(new Error(`The build's process answered '${answer.said}', and not '${said}'.`));
    });
  });
}
