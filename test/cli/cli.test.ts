import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { until } from '../support/until.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});
afterAll(async () => plane.close());

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a user types it, with the service that `TEMPORAL_ADDRESS` gives. */
function reeve(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = process.cwd()): Promise<Output> {
  const options = { cwd, env: { ...process.env, TEMPORAL_ADDRESS: plane.environment.address, NO_COLOR: '1', ...env } };
  return new Promise((done) => {
    execFile(resolve('node_modules/.bin/reeve'), [...args], options, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('the command line', () => {
  it('creates, shows and deletes a server on the service that TEMPORAL_ADDRESS gives', async () => {
    const created = await reeve(['create', 'LogicalServer', 'shop', '--wait']);
    expect(created).toMatchObject({ code: 0 });
    expect(created.stderr).toMatch(/SqlApplication\/shop +Ready/);
    expect(created.stdout).toMatch(/^create LogicalServer\/shop: success after/);

    const shown = await reeve(['get', 'LogicalServer/shop']);
    expect(shown.stdout).toMatch(/^LogicalServer\/shop {2}Ready/);
    expect(shown.stdout).toMatch(/create +already_done/);
    const json = JSON.parse((await reeve(['get', 'LogicalServer/shop', '--json'])).stdout) as object;
    expect(json).toMatchObject({ id: 'LogicalServer/shop', gone: false, state: 'Ready' });

    const again = await reeve(['create', 'LogicalServer', 'shop']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(/^already_done: .*Valid now: delete/);

    const deleted = await reeve(['raise', 'LogicalServer/shop', 'delete', '--wait', '--json']);
    expect(JSON.parse(deleted.stdout)).toMatchObject({ outcome: 'success', errors: [] });
    expect((await reeve(['get', 'LogicalServer/shop', '--json'])).stdout).toContain('"gone": true');
    expect(await reeve(['raise', 'LogicalServer/shop', 'delete'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^absent: /),
    });
  });

  it('explains what an operation and an entity wait for (S5.4)', async () => {
    plane.failures.set('names.publish waiting', 4);
    const { answer } = await plane.reeve.create(LogicalServer, 'waiting', 'create', {});
    const explained = await until(async () => {
      const { code, stdout } = await reeve(['operations', 'explain', answer.operation]);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/DnsRecord\/waiting +Publishing/),
      });
      expect(stdout).toContain('last error provider_down: names.publish is down');
      return stdout;
    }, 40_000);
    expect(explained).toMatch(/^create LogicalServer\/waiting: running for .*\n {2}waits for \d entit/);
    expect(explained).toMatch(/\n● LogicalServer\/waiting +CreatingResources/);
    expect(explained).toMatch(/not met: all DnsRecord in Ready: DnsRecord\/waiting has not settled/);
    await plane.reeve.operations.result({
      ...{ entity: { type: 'LogicalServer', key: 'waiting' }, event: 'create', requestId: answer.operation, answer },
    });
    expect((await reeve(['explain', 'LogicalServer/waiting'])).stdout).toMatch(
      /^✔ LogicalServer\/waiting +Ready .*\n +has settled\n$/,
    );
    const json = JSON.parse((await reeve(['operations', 'explain', answer.operation, '--json'])).stdout) as object;
    expect(json).toMatchObject({ operation: { kind: 'ended', outcome: 'success' }, entities: [], starved: [] });
    expect(await reeve(['explain', 'LogicalServer/nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^absent: /),
    });
  });

  it('says that an operation has failed, and why, with an exit code of its own', async () => {
    plane.failures.set('names.publish broken', 1_000);
    const running = reeve(['create', 'LogicalServer', 'broken', '--wait']);
    await until(async () => plane.reeve.read({ type: 'LogicalServer', key: 'broken' }));
    const again = await reeve(['create', 'LogicalServer', 'broken', '--json']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(again.stderr)).toMatchObject({ code: 'already_in_progress', operation: expect.any(String) });
    const { code, stdout } = await running;
    expect(code).toBe(1);
    expect(stdout).toMatch(/create LogicalServer\/broken: failed after/);
    expect(stdout).toContain('provider_down: names.publish is down');
  });

  it.each([
    { given: ['get', 'Server'], says: "'Server' does not name an entity. Write its type and key" },
    { given: ['get', 'Server/orders'], says: "There is no entity type 'Server'. There are: LogicalServer" },
    { given: ['get', 'LogicalServer/nobody'], says: 'absent: ' },
    { given: ['create', 'LogicalServer', 'x', '--params', '{size'], says: '--params is not JSON' },
    {
      given: ['create', 'LogicalServer', 'UPPER'],
      says: "invalid_key: 'UPPER' is not a key of LogicalServer: use 1 to 42",
    },
    { given: ['create', 'LogicalServer', 'x', '--construct', '[1]'], says: '--construct is no JSON object' },
    {
      given: ['create', 'LogicalServer', 'x', '--construct', '{"size": 1}'],
      says: 'invalid_parameters: LogicalServer/x cannot come to be: construct.size: cannot be given',
    },
    { given: ['raise', 'LogicalServer/nobody', 'resourcesReady'], says: 'absent: ' },
    { given: ['create', 'LogicalServer', 'x', '--event', 'paint'], says: "LogicalServer has no event 'paint'" },
    { given: ['diagram', 'Server'], says: "There is no entity type 'Server'" },
    { given: ['paint'], says: "unknown command 'paint'" },
  ])('refuses $given with what is wrong, and exit code 2', async ({ given, says }) => {
    const { code, stdout, stderr } = await reeve(given);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('says how to start a service when there is none, with exit code 3', async () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined, REEVE_HOME: `${plane.home}/nowhere` };
    const { code, stderr } = await reeve(['get', 'LogicalServer/shop'], nowhere);
    expect(code).toBe(3);
    expect(stderr).toContain("Start one with 'npm start', or set TEMPORAL_ADDRESS");
  });

  it('lists and draws the declarations without a service', async () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined, REEVE_HOME: `${plane.home}/nowhere` };
    expect((await reeve(['types'], nowhere)).stdout).toMatch(/LogicalServer.*\n {2}states {2}.*Ready/);
    expect((await reeve(['diagram', 'Alias'], nowhere)).stdout).toMatch(/^stateDiagram-v2\n/);
  });

  it('creates without an event', async () => {
    const created = await reeve(['create', 'LogicalServer', 'bare', '--no-event', '--wait', '--json']);
    expect(created.code).toBe(0);
    expect(JSON.parse(created.stdout)).toMatchObject({ outcome: 'success', participants: [{ state: 'Absent' }] });
    const again = await reeve(['create', 'LogicalServer', 'bare', '--no-event']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/^already_exists: /) });
    const shown = await reeve(['get', 'LogicalServer/bare']);
    expect(shown.stdout).toMatch(/create +valid/);
    expect(shown.stdout).toMatch(/resourcesReady +not_public/);
  });

  describe('checks the declarations together (S1.5)', () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined };

    it('and finds nothing wrong with the reference control plane', async () => {
      const checked = await reeve(['check'], nowhere);
      expect(checked).toMatchObject({ code: 0, stdout: 'no problems in 5 entity types\n' });
      expect(JSON.parse((await reeve(['check', '--json'], nowhere)).stdout)).toEqual([]);
    });

    it.each([
      {
        wrong: 'what is wrong, and how it comes to that',
        actions: `{ run: { on: 'run', in: 'Free', to: 'Round' }, round: { in: 'Round', to: 'Again' }, again: { in: 'Again', to: 'Round' } }`,
        says: /^Trap\.states\.Round: can never settle: .*\n {4}Free -\(run \/ run\)-> Round\n {4}Let an action/,
      },
      {
        wrong: 'the mistakes of one declaration',
        actions: `{ run: { on: 'run', in: 'Free', to: 'Nowhere' } }`,
        says: /^The declaration of Trap has .* mistakes:\n/,
      },
    ])('and says $wrong, with exit code 1', async ({ actions, says }) => {
      const folder = await mkdtemp(join(plane.home, 'project-'));
      const library = pathToFileURL(resolve('dist/src/definition/index.js')).href;
      const zod = pathToFileURL(resolve('node_modules/zod/index.js')).href;
      await writeFile(join(folder, 'package.json'), '{ "reeve": { "definitions": "trap.mjs" } }');
      await writeFile(
        join(folder, 'trap.mjs'),
        `import { defineEntity, initial, unstable } from '${library}';
         import { z } from '${zod}';
         const states = { Free: initial(), Round: unstable({ wait: '1s' }), Again: unstable() };
         const common = { key: z.string(), properties: z.object({}) };
         export const Trap = defineEntity('Trap', { ...common, states, events: { run: { in: 'Free' } }, actions: ${actions} });`,
      );
      const { code, stdout } = await reeve(['check'], nowhere, folder);
      expect(stdout).toMatch(says);
      expect(code).toBe(1);
    });
  });
});
