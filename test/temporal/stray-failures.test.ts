import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { builtFile } from '../../src/project/built-file.js';

/** Runs code in a process that listens for stray failures of calls. `call` is run for the call of a resource. */
async function run(call: string, outside = ''): Promise<{ code: number | null; told: string; errors: string }> {
  const script = `
    import { runCall } from ${JSON.stringify(builtFile('src/temporal/current-call.js'))};
    import { hearStrays } from ${JSON.stringify(builtFile('src/temporal/stray-failures.js'))};
    import { EventEmitter } from 'node:events';
    hearStrays((thrown, { activity, entity }) => console.log(entity, activity, thrown.message));
    const current = { activity: 'ext.odd', entity: 'Odd/o' };
    const keep = setInterval(() => undefined, 1_000);
    await runCall(current, async () => { ${call} });
    ${outside}
    setTimeout(() => clearInterval(keep), 50);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [told, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, told: told.trim(), errors };
}

it('a failure of a provider for which no call waits is told with its call, and nobody ends (S1.5a)', async () => {
  const strays = [
    `void Promise.reject(new Error('stray'));`,
    `void (async () => { await 1; throw new Error('stray'); })();`,
    `setTimeout(() => { throw new Error('stray'); }, 1);`,
    `setTimeout(() => new EventEmitter().emit('error', new Error('stray')), 1);`,
  ];
  const expected = { code: 0, told: 'Odd/o ext.odd stray', errors: '' };
  expect(await Promise.all(strays.map((stray) => run(stray)))).toEqual(strays.map(() => expected));
});

it('a failure that is not of a provider ends the process as without a worker (S1.5a)', async () => {
  const strays = [`void Promise.reject(new Error('own'));`, `setTimeout(() => { throw new Error('own'); }, 1);`];
  for (const { code, told, errors } of await Promise.all(strays.map((stray) => run('', stray)))) {
    expect(code).not.toBe(0);
    expect(told).toBe('');
    expect(errors).toContain('Error: own');
  }
});
