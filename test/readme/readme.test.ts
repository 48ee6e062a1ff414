import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStack } from '../../src/stack/data-directory.js';
import { until } from '../support/until.js';
import type * as components from './components.js';
import type * as waiting from './machine.js';
import type * as approving from './approval.js';
import type * as componentTest from './component-test.js';
import type * as ownWorkers from './own-worker.js';
import type * as example from './run.js';
import type * as traveling from './trip.js';
import type * as simulation from './simulation.js';
import type * as transferring from './transfer.js';
import { crashPoints, fakeResource, ResourceError, simulate } from '../../src/simulation/index.js';
import { ReeveClient } from '../../src/client/client.js';
import { startTemporalService } from '../support/temporal-service.js';
import { Website } from './website.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (file: string) => join(root, 'test', 'readme', file);

let service: TestWorkflowEnvironment;
let folder: string;
beforeAll(async () => {
  service = await startTemporalService();
  // Inside the project, so that `reeve` is found by its name.
  folder = await mkdtemp(join(root, 'dist', 'readme-'));
});
afterAll(async () => {
  await service.teardown();
  await rm(folder, { recursive: true, force: true });
});

describe('the README and its pages', () => {
  it.each([
    ['README.md', 'website.ts'],
    ['README.md', 'own-worker.ts'],
    ['docs/guides/components.md', 'components.ts'],
    ['docs/guides/components.md', 'component-test.ts'],
    ['docs/start/step-by-step.md', 'website.ts'],
    ['docs/start/step-by-step.md', 'workflows.ts'],
    ['docs/start/step-by-step.md', 'run.ts'],
    ['docs/guides/wait-for-others.md', 'machine.ts'],
    ['docs/guides/transfer.md', 'transfer.ts'],
    ['docs/guides/compensate.md', 'trip.ts'],
    ['docs/guides/test.md', 'simulation.ts'],
    ['docs/guides/temporal-client.md', 'signal.ts'],
    ['docs/guides/own-worker.md', 'own-workflows.ts'],
    ['docs/guides/own-worker.md', 'own-worker.ts'],
  ])('%s shows %s as it is', async (page, file) => {
    const text = await readFile(join(root, page), 'utf8');
    expect(text).toContain(`\`\`\`ts\n// ${file}\n${await readFile(here(file), 'utf8')}\`\`\``);
  });

  const compiled = (file: string) => import(pathToFileURL(join(folder, 'test', 'readme', file)).href);

  it('have an entity that runs', async () => {
    const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const options = [
      '--ignoreConfig',
      '--module',
      'NodeNext',
      '--target',
      'ES2022',
      '--strict',
      '--skipLibCheck',
      '--outDir',
      folder,
      '--rootDir',
      root,
    ];
    const files = [
      'website.ts',
      'workflows.ts',
      'run.ts',
      'machine.ts',
      'transfer.ts',
      'approval.ts',
      'trip.ts',
      'simulation.ts',
      'components.ts',
      'component-test.ts',
      'own-workflows.ts',
      'own-worker.ts',
    ].map(here);
    execFileSync(process.execPath, [compiler, ...options, ...files], { cwd: root, stdio: 'inherit' });
    const { run } = (await compiled('run.js')) as typeof example;
    expect(await run(service.address)).toBe('success: Live at https://blog.example');

    const { oneCrash, anySeed, everyCrash, refused } = (await compiled('simulation.js')) as typeof simulation;
    const [outcome, firstKey, secondKey] = await oneCrash();
    expect(outcome).toBe('success');
    expect(secondKey).toBe(firstKey);
    for (let seed = 1; seed <= 50; seed++) expect(['Live', 'Failed']).toContain(await anySeed(seed));
    expect(await everyCrash()).toEqual([expect.stringMatching(/^Website: create, takeDown \(\d+ points\)$/)]);
    expect(await refused()).toBe('waiting');

    const { Account, account, Transfer, transfer } = (await compiled('transfer.js')) as typeof transferring;
    const sim = simulate([account, transfer]);
    for (const key of ['a', 'b', 'c']) await sim.construct(Account, key, { balance: 10 });
    const move = async (key: string, to: string) =>
      (await sim.result(await sim.create(Transfer, key, 'start', { from: 'a', to, amount: 1 }))).outcome;
    expect(await move('one', 'b')).toBe('success');
    await sim.raise(Account, 'c', 'freeze');
    expect(await move('two', 'c')).toBe('failed');
    expect(['a', 'b', 'c'].map((key) => sim.read(Account, key).properties['balance'])).toEqual([9, 11, 10]);

    await travel((await compiled('trip.js')) as typeof traveling);
    await askForApproval((await compiled('approval.js')) as typeof approving);
    await waitForDisks((await compiled('machine.js')) as typeof waiting);

    const moving = (await compiled('components.js')) as typeof components;
    expect(await moving.move()).toEqual(['files.copy', 'files.copy', 'files.copy', 'files.remove', 'normal']);
    await ((await compiled('component-test.js')) as typeof componentTest).testMove();
  });

  it('have a worker of your own with entities and a workflow of yours', async () => {
    const { ownWorker } = (await compiled('own-worker.js')) as typeof ownWorkers;
    const worker = await ownWorker(service.nativeConnection);
    const { client } = service;
    const reeve = new ReeveClient({ client, entities: [Website], taskQueue: 'shop' });
    const said = await worker.runUntil(async () => {
      const taken = await reeve.create(Website, 'mine', 'create');
      const { outcome } = await reeve.operations.result(taken);
      const launch = { workflowId: 'launch', taskQueue: 'shop', args: ['yours'] };
      return [outcome, await client.workflow.execute('launch', launch)];
    });
    expect(said).toEqual(['success', 'YOURS IS LIVE']);
  });

  it('have a program that runs beside its stack, on a task queue of its own', async () => {
    const home = join(folder, 'data');
    const env = { ...process.env, REEVE_DATA_DIR: home };
    const command = join(root, 'infra', 'reeve.mjs');
    const up = spawn(process.execPath, [command, 'up'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(up, 'exit');
    let said = '';
    up.stdout.on('data', (chunk) => (said += String(chunk)));
    try {
      await until(async () => expect(said).toContain('/docs'));
      const { address } = (await readStack(home))!.temporal;
      const create = [command, 'create', 'LogicalServer/demo', '--wait', '--json'];
      const { run } = (await compiled('run.js')) as typeof example;
      const [website, server] = await Promise.all([
        run(address),
        promisify(execFile)(process.execPath, create, { cwd: root, env }),
      ]);
      expect(website).toBe('success: Live at https://blog.example');
      expect(JSON.parse(server.stdout)).toMatchObject({ outcome: 'success' });
    } finally {
      up.kill('SIGINT');
      await ended;
    }
  });
});

/** A trip whose hotel is full leaves nothing booked, also when workers crash at any step. */
async function travel({ flights, hotels, Trip, tripActions }: typeof traveling): Promise<void> {
  const booked = new Set<string>();
  const place = (name: string, isFull: boolean) => ({
    book: () => {
      // It takes effect all the same, as a call does whose answer is lost.
      booked.add(name);
      if (isFull) throw new ResourceError('full', 'There is no room.');
      return {};
    },
    cancel: () => {
      booked.delete(name);
      return {};
    },
  });
  const resources = () => [fakeResource(flights, place('flight', false)), fakeResource(hotels, place('hotel', true))];
  const sim = simulate([tripActions], { resources: resources() });
  const { outcome } = await sim.result(await sim.create(Trip, 't', 'book'));
  expect([outcome, sim.read(Trip, 't').state, ...booked]).toEqual(['failed', 'Canceled']);
  const { differences } = await crashPoints([tripActions], { resources });
  expect(differences).toEqual([]);
}

/** An order is approved, and another one is refused, a day after they were asked about. */
async function askForApproval({ approvals, Order, order }: typeof approving): Promise<void> {
  const sim = simulate([order], { resources: [fakeResource(approvals, { ask: () => undefined })] });
  const answered = async (key: string, answer: Parameters<typeof sim.answer>[3]) => {
    const taken = await sim.create(Order, key, 'place', { construct: { amount: 9 } });
    await sim.advance('1d');
    await sim.answer(Order, key, approvals.ask, answer);
    return [(await sim.result(taken)).outcome, sim.read(Order, key).state];
  };
  expect(await answered('a', { output: { by: 'ann' } })).toEqual(['success', 'Approved']);
  const refused = { error: { code: 'refused', message: 'It is too dear.' } };
  expect(await answered('b', refused)).toEqual(['failed', 'Refused']);
}

/** A machine waits for its disks in a state, and in an action: what goes well, what fails and what is rejected. */
async function waitForDisks({ Disk, disk, Machine, machine, racks }: typeof waiting): Promise<void> {
  const insert = ({ disk: key }: { readonly disk: string }) => {
    if (key.startsWith('bad')) throw new ResourceError('no_slot', 'There is no slot for it.');
    return {};
  };
  const sim = simulate([disk, machine], { resources: [fakeResource(racks, { insert })] });
  const create = async (key: string, ...disks: readonly string[]) =>
    (await sim.result(await sim.create(Machine, key, 'create', { disks: [...disks] }))).outcome;
  expect([await create('m', 'a', 'b'), sim.read(Machine, 'm').state]).toEqual(['success', 'Running']);
  expect([await create('n', 'c', 'bad'), sim.read(Machine, 'n').state]).toEqual(['failed', 'Failed']);
  expect([await create('o', 'a'), sim.read(Machine, 'o').state]).toEqual(['failed', 'Failed']);
  expect([await create('p'), sim.read(Machine, 'p').state]).toEqual(['failed', 'Failed']);

  const add = async (key: string) => {
    const { outcome, errors } = await sim.result(await sim.raise(Machine, 'm', 'addDisk', { disk: key }));
    return [outcome, ...errors.filter(({ entity }) => entity === 'Machine/m').map(({ code }) => code)];
  };
  expect([await add('d'), await add('bad2'), await add('a')]).toEqual([
    ['success'],
    ['failed', 'disk_failed'],
    ['failed', 'not_valid'],
  ]);
  expect(sim.read(Machine, 'm').properties['disks']).toEqual(['a', 'b', 'd']);
  expect(sim.read(Disk, 'd').state).toBe('Ready');
}
