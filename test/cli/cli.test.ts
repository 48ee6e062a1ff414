import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
function reeve(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
  const options = { env: { ...process.env, TEMPORAL_ADDRESS: plane.environment.address, NO_COLOR: '1', ...env } };
  return new Promise((resolve) => {
    execFile('node_modules/.bin/reeve', [...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
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
});
