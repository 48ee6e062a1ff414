import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const BUILT = fileURLToPath(new URL('../../dist/src/stack/', import.meta.url));

/** A process of its own that runs a piece of a module, and that the test can kill. */
export interface Script {
  readonly process: ChildProcess;
  readonly pid: number;
  /** The text that it printed until its first line ended. @throws when it ends before, with what it said */
  readonly firstLine: Promise<string>;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
}

/** Runs code in a process of its own. `built(name)` in it imports a compiled file of `src/stack`. */
export function runScript(code: string, env: NodeJS.ProcessEnv = process.env): Script {
  const built = `const built = (name) => import(${JSON.stringify(BUILT)} + name + '.js');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${built}\n${code}`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const firstLine = new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')));
    });
    child.once('close', () => reject(new Error(`The script ended: ${errors}`)));
  });
  return { process: child, pid: child.pid!, firstLine, kill };
}
