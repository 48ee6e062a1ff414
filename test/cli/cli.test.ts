import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { callReeve } from '../support/reeve-call.js';
import { runReeve, type Output } from '../support/reeve-command.js';
import { until } from '../support/until.js';
import { choosePort } from '../../src/stack/ports.js';
import type { OperationRepresentation } from '../../src/service/operation-representation.js';
import { event, operation, START, transition } from '../store/records.js';
import { useMortalServer } from '../store/server.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import type { Store } from '../../src/store/index.js';

const server = useMortalServer();
let databaseUrl: string;
let store: Store;
let plane: TestControlPlane;
beforeAll(async () => {
  databaseUrl = await server.database();
  store = openControlPlaneStore(databaseUrl);
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
});
afterAll(async () => {
  await plane.close();
  await store.close();
});

/** The command with the services that `TEMPORAL_ADDRESS` and `DATABASE_URL` give. */
function reeve(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = process.cwd()): Promise<Output> {
  return callReeve(args, { ...services(), ...env }, cwd);
}

/** The same as a process of its own, as a user types it: its exit code is the process's, and it ends by itself. */
function typed(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
  return runReeve(args, { ...services(), ...env });
}

function services(): NodeJS.ProcessEnv {
  return { TEMPORAL_ADDRESS: plane.environment.address, DATABASE_URL: databaseUrl };
}

describe('the command line', () => {
  it('creates, shows and deletes a server on the service that TEMPORAL_ADDRESS gives', async () => {
    const created = await typed(['create', 'LogicalServer/shop', '--wait']);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    expect(created.stderr).toMatch(/SqlApplication\/shop +Ready/);
    expect(created.stdout).toMatch(/^create LogicalServer\/shop: success after/);

    const shown = await typed(['get', 'LogicalServer/shop']);
    expect(shown.stdout).toMatch(/^LogicalServer\/shop {2}Ready/);
    expect(shown.stdout).toMatch(/create +already_done/);
    expect((await typed(['get', 'LogicalServer/shop', '--tree'])).stdout).toMatch(
      /^✔ LogicalServer\/shop +Ready\n(?:✔ [├└]─ [A-Z][A-Za-z]+\/shop +\S+\n){4}\n'reeve explain LogicalServer\/shop --event delete' shows/,
    );
    const json = JSON.parse((await typed(['get', 'LogicalServer/shop', '--json'])).stdout) as object;
    expect(json).toMatchObject({ id: 'LogicalServer/shop', gone: false, state: 'Ready' });

    const again = await typed(['create', 'LogicalServer/shop']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(/^already_done: .*Valid now: .*delete/);

    // An event that has failed in the task that took it is no success.
    expect(await typed(['raise', 'LogicalServer/shop', 'failover'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^failover LogicalServer\/shop: failed, Ready\n {2}LogicalServer\/shop, failover: no_standby: The server has no /,
      ),
    });

    const deleted = await typed(['raise', 'LogicalServer/shop', 'delete', '--wait', '--json']);
    expect(JSON.parse(deleted.stdout)).toMatchObject({ outcome: 'success', errors: [] });
    expect((await typed(['get', 'LogicalServer/shop', '--json'])).stdout).toContain('"gone": true');
    expect(await typed(['raise', 'LogicalServer/shop', 'delete'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^gone: /),
    });
  });

  it('explains what an operation and an entity wait for (S5.4)', async () => {
    const publish = 'names.publish waiting';
    plane.failures.set(publish, 4);
    const { answer } = await plane.reeve.create(LogicalServer, 'waiting', 'create', {});
    // After a failure it stands still until it was looked at, however long that takes.
    await until(async () => expect(plane.failures.get(publish)).toBeLessThan(4));
    let letGo = (): void => undefined;
    plane.holds.set(publish, new Promise((done) => (letGo = done)));
    const explained = await until(async () => {
      const { code, stdout } = await reeve(['operations', 'explain', answer.operation]);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/DnsRecord\/waiting +Publishing/),
      });
      expect(stdout).toContain('last error provider_down: names.publish is down');
      return stdout;
    });
    letGo();
    expect(explained).toMatch(/^create LogicalServer\/waiting: running for .*\n {2}waits for \d entit/);
    expect(explained).toMatch(/\n● LogicalServer\/waiting +CreatingResources/);
    expect(explained).toMatch(/not met: all DnsRecord in Ready: DnsRecord\/waiting has not settled/);
    await plane.reeve.operations.result({
      ...{ entity: { type: 'LogicalServer', key: 'waiting' }, event: 'create', requestId: answer.operation, answer },
    });
    expect((await reeve(['explain', 'LogicalServer/waiting'])).stdout).toMatch(
      /^✔ LogicalServer\/waiting +Ready .*\n +has settled\nLast run by \S+@\S+, .* ago\.\n$/,
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
    let letGo = (): void => undefined;
    plane.holds.set('names.publish broken', new Promise((done) => (letGo = done)));
    const running = reeve(['create', 'LogicalServer/broken', '--wait']);
    await until(async () => plane.reeve.read({ type: 'LogicalServer', key: 'broken' }));
    const again = await reeve(['create', 'LogicalServer/broken', '--json']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(again.stderr)).toMatchObject({ code: 'already_in_progress', operation: expect.any(String) });
    letGo();
    const { code, stdout } = await running;
    expect(code).toBe(1);
    expect(stdout).toMatch(/create LogicalServer\/broken: failed after/);
    expect(stdout).toContain('provider_down: names.publish is down');
  });

  it('lists entities in an error state with their errors, and for how long they have to be in it (S5.2, S5.4)', async () => {
    await until(async () =>
      expect((await reeve(['entities', 'LogicalServer', '--error', '--for', '0s'])).stdout).toMatch(
        /^ENTITY +STATE +SINCE +ERROR\n(?:.*\n)*LogicalServer\/broken +Failed .*provider_down: names\.publish is down/,
      ),
    );
    const longer = await reeve(['entities', '--error', '--for', '1h']);
    expect(`${longer.stdout}${longer.stderr}`).toBe('There are no such entities.\n');
    const wrong = await reeve(['entities', '--for', 'yesterday']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Write it like 30m, 2h or 7d.') });
    expect((await reeve(['entities', '--stuck', '--for', '1h'])).stderr).toContain('cannot be combined with --for');
  });

  it.each([
    { given: ['get', 'Server'], says: "'Server' does not name an entity. Write its type and key" },
    { given: ['get', 'Server/orders'], says: "There is no entity type 'Server'. The entity types are: LogicalServer" },
    { given: ['get', 'LogicalServer/nobody'], says: 'absent: ' },
    { given: ['get', 'LogicalServer/nobody', '--tree'], says: 'absent: ' },
    { given: ['get', 'LogicalServer/nobody', '--tree', '--json'], says: '--tree is for people' },
    { given: ['create', 'LogicalServer/x', '--params', '{size'], says: '--params is not JSON' },
    {
      given: ['create', 'LogicalServer/x', '--params', '{"size":9007199254740993}'],
      says: '--params is not accepted: size: the number 9007199254740993 would become',
    },
    {
      given: ['create', 'LogicalServer/UPPER'],
      says: "invalid_key: 'UPPER' is not a key of LogicalServer: use 1 to 42",
    },
    { given: ['create', 'LogicalServer/x', '--construct', '[1]'], says: '--construct is not a JSON object' },
    {
      given: ['create', 'LogicalServer/x', '--construct', '{"size": 1}'],
      says: 'invalid_parameters: The request is invalid: construct',
    },
    { given: ['raise', 'LogicalServer/nobody', 'resourcesReady'], says: 'not_public: ' },
    { given: ['raise', 'LogicalServer/shop', 'retry-action'], says: "'retry-action' is not a name of an event" },
    {
      given: ['create', 'LogicalServer/x', '--event', 'paint'],
      says: 'does not create LogicalServer entities. These events do: create',
    },
    { given: ['diagram', 'Server'], says: "There is no entity type 'Server'" },
    { given: ['paint'], says: "unknown command 'paint'\n'reeve --help' lists its commands." },
    { given: ['create'], says: "argument 'new-entity'\nUsage: reeve create [options] <new-entity>" },
    { given: ['create', 'LogicalServer'], says: "'LogicalServer' does not name an entity" },
    {
      given: ['deployments', 'show', 'x'],
      says: "unknown command 'show'.\n'reeve deployments --help' lists its commands.",
    },
    { given: ['replay', 'nothing.json'], says: "There is no file or folder 'nothing.json'" },
    { given: ['help', 'entites'], says: "unknown command 'entites'. Did you mean 'entities'?" },
  ])('refuses $given with what is wrong, and exit code 2', async ({ given, says }) => {
    const { code, stdout, stderr } = await reeve(given);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('says how to start a service when there is none, with exit code 3', async () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined, REEVE_DATA_DIR: `${plane.home}/nowhere` };
    const { code, stderr } = await typed(['get', 'LogicalServer/shop'], nowhere);
    expect(code).toBe(3);
    expect(stderr).toContain("Start one with 'npx reeve up', or set TEMPORAL_ADDRESS");
  });

  it('lists and draws the declarations without a service', async () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined, REEVE_DATA_DIR: `${plane.home}/nowhere` };
    expect((await typed(['types'], nowhere)).stdout).toMatch(/LogicalServer.*\n {2}states {2}.*Ready/);
    expect((await reeve(['diagram', 'Alias'], nowhere)).stdout).toMatch(/^stateDiagram-v2\n/);
  });

  it('creates without an event', async () => {
    const created = await reeve(['create', 'LogicalServer/bare', '--no-event', '--wait', '--json']);
    expect(created.code).toBe(0);
    expect(JSON.parse(created.stdout)).toMatchObject({ outcome: 'success', participants: [{ state: 'Absent' }] });
    const again = await reeve(['create', 'LogicalServer/bare', '--no-event']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/^already_exists: /) });
    const shown = await reeve(['get', 'LogicalServer/bare']);
    expect(shown.stdout).toMatch(/create +valid/);
    expect(shown.stdout).not.toContain('resourcesReady');
  });

  describe('shows what happened, from the store (S5.1, S5.2)', () => {
    interface Listed {
      readonly items: readonly Readonly<Record<string, unknown>>[];
      readonly next?: string;
    }
    const list = async (...args: readonly string[]) => JSON.parse((await reeve([...args, '--json'])).stdout) as Listed;
    let operation: string;
    beforeAll(async () => {
      const taken = await plane.reeve.create(LogicalServer, 'rows', 'create', {});
      await plane.reeve.operations.result(taken);
      operation = await until(async () => {
        const [row] = (await list('operations', 'list', '--name', 'LogicalServer/rows')).items;
        expect(row).toMatchObject({ request_id: taken.requestId, outcome: 'success' });
        return String(row?.['operation_id']);
      });
    });

    it('as a table of entities, with filters and pages', async () => {
      const ready = await reeve(['entities', 'LogicalServer', '--state', 'Ready']);
      expect(ready.stdout).toMatch(/^ENTITY +STATE +HEALTH +SETTLED +VERSION +AS OF/);
      expect(ready.stdout).toMatch(/^LogicalServer\/rows +Ready +normal +yes +\d+ .*\d\d:\d\d/m);
      const inError = await reeve(['entities', '--error', '--since', '1h', '-o', 'name']);
      expect(inError.stdout).toContain('LogicalServer/broken');
      expect(inError.stdout).not.toContain('/rows');
      const where = `key eq 'rows'`;
      const all = await list('entities', '--where', where);
      expect(all.items.map(({ type }) => type)).toEqual([
        ...['Alias', 'DatabaseService', 'DnsRecord', 'LogicalServer', 'SqlApplication'],
      ]);
      const first = await list('list', '--where', where, '--top', '2');
      const second = await list('list', '--where', where, '--top', '2', '--skip-token', first.next ?? '');
      expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 4));
      expect((await list('entities', '--dimension', 'logical_server_id=rows')).items).not.toEqual([]);
      const declared = `${where} and properties/database eq 'master' and application/state eq 'Ready'`;
      const ofType = await list('entities', 'LogicalServer', '--where', declared);
      expect(ofType.items.map(({ type, key }) => `${type}/${key}`)).toEqual(['LogicalServer/rows']);
      expect((await list('entities', 'LogicalServer', '--where', 'properties/generation gt 99')).items).toEqual([]);
      const byEvents = `events/any(e:e/keys eq 'rows' and e/event_type eq 'subscription')`;
      expect((await list('operations', 'list', '--where', byEvents)).items).not.toEqual([]);
    });

    it('as the events and transitions of an operation, and of an entity', async () => {
      const events = await reeve(['events', operation]);
      expect(events.stdout).toMatch(/LogicalServer\/rows +create +raised +Absent → CreatingResources/);
      const created = (await list('events', operation)).items.find(({ event }) => event === 'create');
      expect(created).toMatchObject({ state_machine_type: 'LogicalServer', keys: 'rows' });
      const transitions = await reeve(['transitions', operation, String(created?.['event_id'])]);
      expect(transitions.stdout).toMatch(/LogicalServer\/rows +4 .*createResources +Creating → CreatingResources/);
      const ofOne = (await list('events', '--entity', 'Alias/rows')).items;
      expect(ofOne.map(({ keys }) => keys)).toEqual(['rows']);
    });

    it('as one operation, which can be followed after its end and not be canceled (S4.7)', async () => {
      const shown = await reeve(['operations', 'show', operation, '--utc']);
      expect(shown.stdout).toMatch(/^create LogicalServer\/rows {2}success\n\n {2}operation +[0-9a-f-]{36}\n/);
      expect(shown.stdout).toMatch(/started +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/);
      const { request_id: request, events } = JSON.parse(
        (await reeve(['operations', 'show', operation, '--json'])).stdout,
      ) as { request_id: string; events: readonly object[] };
      expect(events.length).toBeGreaterThan(4);
      const { stdout: values } = await reeve(['operations', 'show', operation, '--values']);
      expect(values).toMatch(/\nLogicalServer\/rows create {2}success\n {2}parameters +\{\}/);
      expect(values).toMatch(
        /\n {2}dataClusters\.list {2}place, activity, .*\n {4}input +\{\}\n {4}output +\{"names":/,
      );
      const followed = await reeve(['operations', 'follow', request]);
      expect(followed).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^create LogicalServer\/rows: success/),
      });
      expect(await reeve(['operations', 'cancel', operation])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/has ended already: success/),
      });
    });

    it('and says so when there is nothing', async () => {
      expect(await reeve(['operations', 'list', '--name', 'no such thing'])).toEqual({
        ...{ code: 0, stdout: '' },
        stderr: 'There are no such operations.\n',
      });
      expect(await list('operations', 'list', '--name', 'no such thing')).toEqual({ items: [] });
    });

    it.each([
      { given: ['operations', 'show', 'nobody'], says: "There is no operation 'nobody' in the store" },
      { given: ['entities', '--where', 'colour eq 3'], says: "--where, character 1: there is no 'colour' in entities" },
      {
        given: ['entities', '--unsettled', '--where', 'colour eq 3'],
        says: "--where, character 1: there is no 'colour'",
      },
      {
        given: ['entities', '--dimension', 'colour=red'],
        says: "There is no dimension 'colour'. The dimensions are: ",
      },
      { given: ['entities', 'Server'], says: "There is no entity type 'Server'" },
      { given: ['operations', 'list', '--since', 'ever'], says: "--since is not a time: 'ever'" },
      { given: ['operations', 'list', '--top', '0'], says: 'Give a whole number from 1 to 1000.' },
      { given: ['operations', 'list', '--outcome', 'odd'], says: 'Allowed choices are success, failed' },
      { given: ['operatoins'], says: '(Did you mean operations?)' },
    ])('and refuses $given with exit code 2', async ({ given, says }) => {
      const { code, stdout, stderr } = await reeve(given);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(says);
    });

    it('and says with exit code 3 that the store is unavailable, or has to be migrated', async () => {
      const away = await reeve(['entities', '--json'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
      expect(away).toMatchObject({ code: 3, stdout: '' });
      expect(JSON.parse(away.stderr)).toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/:1\/none/),
      });
      const empty = { DATABASE_URL: await server.database() };
      expect(await reeve(['entities'], empty)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/Run 'reeve store migrate'/),
      });
      expect((await reeve(['store', 'migrate'], empty)).stdout).toMatch(/^migrated: migration .*, views\n$/);
      expect((await reeve(['store', 'migrate'], empty)).stdout).toBe('the store is what this version needs\n');
      expect(await reeve(['entities'], empty)).toMatchObject({ code: 0 });
    });
  });

  it('lists what runs also while the store is unavailable (S5.2)', async () => {
    const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
    plane.failures.set('databases.createInstance living', 1_000);
    const taken = await plane.reeve.create(LogicalServer, 'living', 'create', {});
    const named = ['operations', 'running', '--name', 'create LogicalServer/living'];
    const unsettled = ['entities', 'LogicalServer', '--live', '--unsettled'];
    // At once: the attempts of the action are soon used up.
    await until(async () => {
      const [json, table, entities] = await Promise.all([
        reeve([...named, '--json'], away),
        reeve(named, away),
        reeve(unsettled, away),
      ]);
      const { items } = JSON.parse(json.stdout) as { readonly items: readonly unknown[] };
      const row = { request_id: taken.requestId, name: 'create LogicalServer/living', outcome: 'running' };
      expect(items).toEqual([expect.objectContaining({ ...row, execution: expect.any(String) as string })]);
      expect(table.stdout).toMatch(
        /^OPERATION +NAME +OUTCOME +STARTED +RUNS FOR\n.*create LogicalServer\/living +running/,
      );
      expect(entities.stdout).toMatch(/^ENTITY .*\nLogicalServer\/living +CreatingResources/);
    });
    expect(await reeve([...unsettled, '--where', 'version gt 1'], away)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--where'),
    });
    await plane.reeve.operations.result(taken);
    await until(async () => expect(await reeve(named, away)).toMatchObject({ code: 0, stdout: '' }));
  });

  describe('keeps to a task queue', () => {
    const queueOf = async (id: string) => (await plane.environment.client.workflow.getHandle(id).describe()).taskQueue;

    it('that package.json names, and all that an entity creates stays on it', async () => {
      const created = await reeve(['create', 'LogicalServer/queued', '--wait', '--json']);
      const { request_id: id, participants } = JSON.parse(created.stdout) as OperationRepresentation;
      expect(participants.length).toBeGreaterThan(4);
      for (const workflow of [`op/${id}`, ...participants.map(({ entity }) => entity)]) {
        expect([workflow, await queueOf(workflow)]).toEqual([workflow, 'control-plane']);
      }
    });

    it('that REEVE_TASK_QUEUE names, and rather that of --task-queue', async () => {
      const create = (key: string) => ['create', `LogicalServer/${key}`, '--no-event'];
      expect(await typed(create('there'), { REEVE_TASK_QUEUE: 'there' })).toMatchObject({ code: 0 });
      expect(await queueOf('LogicalServer/there')).toBe('there');
      const yonder = ['--task-queue', 'yonder'];
      expect(await reeve([...create('yonder'), ...yonder], { REEVE_TASK_QUEUE: 'there' })).toMatchObject({ code: 0 });
      expect(await queueOf('LogicalServer/yonder')).toBe('yonder');

      const explained = await reeve(['explain', 'LogicalServer/yonder', ...yonder]);
      expect(explained.stdout).toMatch(/^no worker serves the task queue yonder: /);
      const examined = await reeve(['doctor', ...yonder]);
      expect(examined.code).toBe(1);
      expect(examined.stdout).toMatch(
        /^✖ worker +no worker serves the workflows and activities of the task queue 'yonder'$/m,
      );
      for (const key of ['there', 'yonder']) {
        await plane.environment.client.workflow.getHandle(`LogicalServer/${key}`).terminate();
      }
    });
  });

  it('cancels a running operation, and follows it from elsewhere (S4.7)', async () => {
    const call = 'databases.createInstance halted';
    plane.failures.set(call, 1_000);
    let letGo = () => undefined as void;
    // It runs for as long as the commands need to start.
    plane.holds.set(call, new Promise((resolve) => (letGo = resolve)));
    const taken = await plane.reeve.create(LogicalServer, 'halted', 'create', {});
    await until(() => plane.reeve.operations.status(taken.requestId));
    const commands = Promise.all([
      typed(['operations', 'follow', taken.requestId, '--json']),
      reeve(['operations', 'cancel', taken.requestId, '--wait']),
    ]);
    const state = async () => (await plane.reeve.read({ type: 'LogicalServer', key: 'halted' })).snapshot.state;
    await expect.poll(state, { timeout: 120_000 }).not.toMatch(/^Creating/);
    letGo();
    const [followed, canceled] = await commands;
    expect(followed.code).toBe(1);
    const { outcome } = JSON.parse(followed.stdout) as { outcome: string };
    expect(['canceled', 'failed']).toContain(outcome);
    expect(canceled).toMatchObject({
      code: outcome === 'canceled' ? 0 : 1,
      stdout: expect.stringContaining(`: ${outcome} after`),
    });
  });

  it('says of an event of a canceled operation that it was canceled, and of its errors nothing (S4.7, S5.1)', async () => {
    const about = { entity: { type: 'LogicalDatabase', key: 'rows.sales', life: 'x' }, operation: 'withdrawn' };
    const ended = { ...about, endedAt: START + 9, endState: 'Ready', endHealth: 'normal', endVersion: 9 } as const;
    const aborted = { kind: 'retryable', code: 'aborted', message: `'ask' was aborted` } as const;
    const name = 'moveTo LogicalDatabase/rows.sales';
    await store.writer.keep([
      operation('withdrawn', { name, outcome: 'canceled', endedAt: START + 9 }),
      event('withdrawn', { ...ended, event: 'moveTo', startVersion: 4, error: aborted }),
      event('withdrawn/cancel/LogicalDatabase/rows.sales', { ...ended, event: 'cancel', startVersion: 6 }),
    ]);
    const result = async (...args: readonly string[]) => (await reeve(args)).stdout;
    const canceled = /rows\.sales +moveTo .* canceled +aborted: 'ask' was aborted/;
    expect(await result('events', 'withdrawn')).toMatch(canceled);
    const shown = await result('operations', 'show', 'withdrawn', '--values');
    expect(shown).toMatch(canceled);
    expect(shown).toContain('\nLogicalDatabase/rows.sales moveTo  canceled\n');
    expect(shown).not.toMatch(/^ +error /m);
    expect(
      await result('summary', 'events', '--name', 'LogicalDatabase.moveTo', '--since', '2026-01-01'),
    ).not.toContain('Why they failed');
  });

  it('names the callers who have raised an event, answered a call and canceled an operation (S4.7, S6.5)', async () => {
    const entity = { type: 'LogicalDatabase', key: 'rows.costs', life: 'y' };
    const about = { entity, operation: 'called' };
    const call = { place: 1, call: 'approvals.ask', mode: 'callback', startedAt: START, endedAt: START + 9 } as const;
    await store.writer.keep([
      operation('called', { name: 'moveTo LogicalDatabase/rows.costs', outcome: 'canceled', endedAt: START + 9 }),
      event('called', { ...about, event: 'moveTo' }),
      event('called/1', {
        ...{ ...about, event: 'detach', position: '1.1' },
        entity: { type: 'LogicalServer', key: 'rows', life: 'z' },
      }),
      transition(1, { ...about, event: 'called', action: 'ask', calls: [call] }),
    ]);
    const audited = (action: string, subject: string) =>
      ({ ...about, id: randomUUID(), at: START + 9, roles: [], decision: 'allowed', action, subject }) as const;
    await store.writer.audit([
      audited('raise moveTo', 'ann'),
      audited('answer approvals.ask', 'ben'),
      audited('cancel moveTo', 'tim'),
    ]);
    const events = (await reeve(['events', 'called'])).stdout;
    expect(events).toMatch(/CALLER/);
    expect(events).toMatch(/rows\.costs +moveTo +raised +ann /);
    expect(events).toMatch(/LogicalServer\/rows +detach +raised +LogicalDatabase\/rows\.costs /);
    expect((await reeve(['calls', 'called'])).stdout).toMatch(/ CALLER [^]*approvals\.ask +callback +ben /);
    expect((await reeve(['operations', 'list', '--name', 'rows.costs'])).stdout).toMatch(/ CANCEL\n.* by tim\n/);
    expect((await reeve(['operations', 'show', 'called'])).stdout).toMatch(/^ +cancel +requested by tim$/m);
  });

  it('says of rejections that events of operations were rejected too (S2.2)', async () => {
    const entity = { type: 'LogicalDatabase', key: 'rows.kept', life: 'k' };
    const about = { entity, operation: 'refused', endedAt: START + 9 } as const;
    await store.writer.keep([
      operation('refused', { name: 'moveTo LogicalDatabase/rows.kept', outcome: 'success', endedAt: START + 9 }),
      event('refused/cancel/LogicalDatabase/rows.kept', {
        ...{ ...about, event: 'cancel' },
        error: { kind: 'rejected', code: 'busy', message: 'It is too late.' },
      }),
    ]);
    const { stderr } = await reeve(['rejections', '--entity', 'LogicalDatabase/rows.kept']);
    expect(stderr).toMatch(/^Nothing was rejected at once\.\n/);
    const [, entityAsked = '', filter = ''] = /reeve events --entity (\S+) --where "(.+)"/.exec(stderr) ?? [];
    expect((await reeve(['events', '--entity', entityAsked, '--where', filter])).stdout).toMatch(
      / cancel .* rejected /,
    );
    expect((await reeve(['rejections', '--since', '1s'])).stderr).toBe('Nothing was rejected.\n');
  });

  describe('looks around (doctor)', () => {
    interface Found {
      readonly items: readonly { readonly about: string; readonly status: string; readonly remedy?: string }[];
    }
    const problems = ({ stdout }: Output) =>
      (JSON.parse(stdout) as Found).items.filter(({ status }) => status === 'problem').map(({ about }) => about);

    it('and finds nothing wrong but the servers that rest in an error state', async () => {
      const found = await reeve(['doctor'], { REEVE_DATA_DIR: join(plane.home, 'nowhere') });
      expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n1 problem\.\n$/) });
      expect(found.stdout).toMatch(
        /^✖ attention +LogicalServer in Failed: rests in an error state \(provider_down\)\. LogicalServer\/broken/m,
      );
      expect(found.stdout).toMatch(/^✔ worker +last polled the task queue 'control-plane' .* ago; /m);
      expect(found.stdout).toMatch(/^✔ store readers +their database role may read the views, and nothing else$/m);
    });

    it('and names what is missing, each with a remedy, with exit code 1', async () => {
      const without = await reeve(['doctor', '--json'], {
        ...{ TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_DATA_DIR: join(plane.home, 'nowhere') },
      });
      expect([without.code, problems(without)]).toEqual([1, ['Temporal service']]);
      const empty = await reeve(['doctor', '--json'], { DATABASE_URL: await server.database() });
      expect([empty.code, problems(empty)]).toEqual([1, ['store schema', 'store readers', 'attention']]);
      const astray = await reeve(['doctor', '--json'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
      // The store knows the servers in an error state, also without Temporal.
      expect([astray.code, problems(astray)]).toEqual([1, ['Temporal service', 'attention']]);
    });
  });

  it('completes what is being typed', async () => {
    const complete = async (...words: readonly string[]) =>
      (await reeve(['__complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(await complete('operations', '')).toEqual(expect.arrayContaining(['list', 'show', 'follow', 'cancel']));
    expect(await complete('get', 'Logical')).toEqual(expect.arrayContaining(['LogicalServer/']));
    expect(await complete('raise', 'LogicalServer/x', 'del')).toEqual(['delete', '']);
    expect(await complete('entities', '--sk')).toEqual(['--skip-token', '']);
    expect(await complete('raise', '--task')).toEqual(['--task-queue', '']);
    expect(await complete('operations', 'list', '--outcome', 'f')).toEqual(['failed', '']);
    expect((await typed(['completion', 'bash'])).stdout).toContain('complete -F _reeve reeve');
  });

  it('prints the OpenAPI document of the management service without one (S6.1)', async () => {
    const { code, stdout } = await reeve(['openapi'], { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined });
    const { openapi, paths } = JSON.parse(stdout) as { openapi: string; paths: object };
    expect([code, openapi]).toEqual([0, '3.1.0']);
    expect(Object.keys(paths)).toContain('/api/control-plane/v1/LogicalServer');
  });

  it('starts what the project names, with its own processes, and stops it when it is asked to (S3.9)', async () => {
    const folder = await mkdtemp(join(plane.home, 'project-'));
    const built = (file: string) => relative(folder, resolve('dist', file));
    const settings = { definitions: built('workflows/definitions.js'), bundle: built('workflow-bundle.js') };
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ reeve: { ...settings, up: 'up.mjs', taskQueue: 'own' } }),
    );
    await writeFile(
      join(folder, 'up.mjs'),
      `export default async ({ report, keep }) => {
         report('something else starts');
         await keep('beside', new URL('beside.mjs', import.meta.url).pathname, { GREETING: 'good day' });
       };`,
    );
    await writeFile(
      join(folder, 'beside.mjs'),
      `console.log(process.env.GREETING); setInterval(() => undefined, 1e9);`,
    );
    const data = join(folder, 'data');
    const services = { TEMPORAL_ADDRESS: plane.environment.address, DATABASE_URL: databaseUrl };
    const env = { ...process.env, ...services, REEVE_DATA_DIR: data, REEVE_API_PORT: String(await choosePort()) };
    const up = spawn(process.execPath, [resolve('infra/reeve.mjs'), 'up'], { cwd: folder, env });
    onTestFinished(() => void up.kill('SIGTERM'));
    let [said, told] = ['', ''];
    up.stderr.on('data', (chunk) => (told += String(chunk)));
    up.stdout.on('data', (chunk) => (said += String(chunk)));
    const ended = once(up, 'exit');
    const url = await until(async () => {
      expect(up.exitCode, told).toBeNull();
      const [, found] = /API +(\S+)\/docs\n/.exec(said) ?? [];
      expect(found).toBeDefined();
      return found;
    });
    const types = (await (await fetch(`${url}/api/types`)).json()) as {
      readonly items: readonly { readonly name: string }[];
    };
    expect(types.items.map(({ name }) => name)).toContain('LogicalServer');
    expect((await fetch(`${url}/`)).status).toBe(200);
    await until(async () =>
      expect(await readFile(join(data, 'log', 'worker.log'), 'utf8')).toContain('"taskQueue":"own"'),
    );
    expect(await readFile(join(data, 'log', 'beside.log'), 'utf8')).toBe('good day\n');
    expect(told).toContain('something else starts');
    up.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await readdir(join(data, 'run'))).toEqual(['lock']);
  });

  describe('checks the declarations together (S1.5)', () => {
    const nowhere = { TEMPORAL_ADDRESS: undefined };

    it('and finds nothing wrong with the reference control plane', async () => {
      const checked = await reeve(['check'], nowhere);
      expect(checked.code).toBe(0);
      // An approval may take two days. That is meant, and has its advice.
      expect(checked.stdout).toMatch(
        /^no problems in 7 entity types\nadvice: approvals\.askForMove\.within: .*\n {4}To serve .*\n$/,
      );
      const { items } = JSON.parse((await reeve(['check', '--json'], nowhere)).stdout) as { items: readonly unknown[] };
      expect(items).toMatchObject([{ severity: 'advice', place: 'approvals.askForMove.within' }]);
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
