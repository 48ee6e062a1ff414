import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runReeve } from '../support/reeve-command.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const OLD = {
  declaration: `properties: z.object({ label: z.string() }),`,
  light: `lamp.properties.label += ' ' + (await lamp.call(bulbs.light, { name: lamp.key })).by;
    return lamp.goTo('On');`,
  repair: `throw new Error('nobody has written this yet');`,
};
const NEW = {
  declaration: `schema: 2,
  migrations: { 2: ({ properties: { label } }) => ({ properties: { title: label.toUpperCase() } }) },
  properties: z.object({ title: z.string() }),`,
  light: `const first = await lamp.call(bulbs.find, { name: lamp.key });
    const second = await lamp.call(bulbs.light, { name: lamp.key });
    lamp.properties.title += ' ' + first.by + ' ' + second.by;
    return lamp.goTo('On');`,
  repair: `return lamp.goTo('On');`,
};

function sources({ declaration, light, repair }: typeof OLD): Readonly<Record<string, string>> {
  return {
    'definitions.js': `import { defineEntity, defineResource, initial, stable, unstable } from 'reeve/definition';
import { z } from 'zod';
const call = { input: z.object({ name: z.string() }), output: z.object({ by: z.string() }) };
export const bulbs = defineResource('bulbs', { light: { ...call, timeout: '5m' }, find: call });
export const Lamp = defineEntity('Lamp', {
  key: z.string(),
  ${declaration}
  construct: z.object({ ${declaration.includes('title') ? 'title' : 'label'}: z.string() }),
  states: { Off: initial(), On: stable(), Broken: unstable({ retry: { delay: '1s', maxDelay: '1s' } }) },
  events: { create: { in: 'Off' }, light: { in: 'On' }, drop: { in: 'On' } },
  actions: {
    create: { on: 'create', in: 'Off', to: 'On' },
    light: { on: 'light', in: 'On', to: 'On' },
    drop: { on: 'drop', in: 'On', to: 'Broken' },
    repair: { in: 'Broken', to: 'On' },
  },
});
`,
    'workflows.js': `import { implementActions } from 'reeve/definition';
import { entityWorkflows } from 'reeve/workflows';
import { bulbs, Lamp } from './definitions.js';
export default entityWorkflows(implementActions(Lamp, {
  create: async (lamp) => lamp.goTo('On'),
  light: async (lamp) => {
    ${light}
  },
  drop: async (lamp) => lamp.goTo('Broken'),
  repair: async (lamp) => {
    ${repair}
  },
}));
`,
    'resources.js': `import { implementResource } from 'reeve/worker';
import { existsSync, writeFileSync } from 'node:fs';
import { bulbs } from './definitions.js';
export const resources = [implementResource(bulbs, {
  find: async () => ({ by: 'found' }),
  async light({ name }) {
    writeFileSync(name + '.asked', '');
    while (name === 'slow' && !existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 50));
    return { by: 'lit' };
  },
})];
`,
  };
}

it('changed code takes over by a restart what rests, what fails again and again, and what works when it has ended (Q2)', async () => {
  const folder = await mkdtemp(join(ROOT, 'dist', 'succession-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = {
    ...{
      TEMPORAL_ADDRESS: undefined,
      DATABASE_URL: undefined,
      REEVE_API: undefined,
      REEVE_DATA_DIR: join(folder, 'home'),
    },
  };
  const reeve = async (...args: readonly string[]) => runReeve(args, env, folder);
  const read = async (key: string) =>
    JSON.parse((await reeve('get', `Lamp/${key}`, '--json')).stdout) as Readonly<Record<string, unknown>>;
  const write = async (code: typeof OLD) => {
    for (const [name, text] of Object.entries(sources(code))) await writeFile(join(folder, name), text);
    expect(await reeve('build')).toMatchObject({ code: 0 });
  };
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules', 'reeve'));
  const parts = { definitions: 'definitions.js', workflows: 'workflows.js', resources: 'resources.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', reeve: parts }));

  await write(OLD);
  const first = await up(folder, env);
  for (const key of ['rests', 'slow', 'broken']) {
    expect(await reeve('create', `Lamp/${key}`, '--construct', JSON.stringify({ label: key }), '--wait')).toMatchObject(
      {
        code: 0,
      },
    );
  }
  expect(await reeve('raise', 'Lamp/rests', 'light', '--wait')).toMatchObject({ code: 0 });
  expect(await reeve('raise', 'Lamp/slow', 'light')).toMatchObject({ code: 0 });
  expect(await reeve('raise', 'Lamp/broken', 'drop')).toMatchObject({ code: 0 });
  await until(async () => expect(await read('broken')).toMatchObject({ state: 'Broken', attempt: expect.any(Number) }));
  await first.stop();

  await write(NEW);
  const second = await up(folder, env);
  expect(await reeve('raise', 'Lamp/rests', 'light', '--wait')).toMatchObject({ code: 0 });
  expect(await read('rests')).toMatchObject({ properties: { title: 'RESTS LIT found lit' } });
  await until(async () => expect(await read('broken')).toMatchObject({ state: 'On', properties: { title: 'BROKEN' } }));
  expect(second.output()).not.toContain('everything runs on the present code');
  await writeFile(join(folder, 'go'), '');
  await until(async () => expect(second.output()).toContain('everything runs on the present code'));
  expect(await read('slow')).toMatchObject({ state: 'On', properties: { title: 'SLOW LIT' } });
  await second.stop();

  const third = await up(folder, env);
  expect(await reeve('raise', 'Lamp/slow', 'light', '--wait')).toMatchObject({ code: 0 });
  expect(third.output()).not.toContain('the code has changed');
  await third.stop();
});

interface Up {
  output(): string;
  stop(): Promise<void>;
}

async function up(folder: string, env: NodeJS.ProcessEnv): Promise<Up> {
  const command = join(ROOT, 'node_modules', '.bin', 'reeve');
  const child: ChildProcess = spawn(command, ['up'], { cwd: folder, env: { ...process.env, NO_COLOR: '1', ...env } });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (text += String(data)));
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  await until(async () => expect(text).toContain('Ctrl-C stops everything'));
  return { output: () => text, stop };
}
