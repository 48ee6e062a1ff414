import { mkdtemp } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { createApiKey, type ApiKeyRecord } from '../../src/service/authentication/api-key.js';
import { ApiKeyFile } from '../../src/service/authentication/api-key-file.js';
import { CredentialsAuthenticator } from '../../src/service/authentication/credentials-authenticator.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import type { Store } from '../../src/store/index.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { useMortalServer } from '../store/server.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { callReeve } from '../support/reeve-call.js';
import { runReeve, type Output } from '../support/reeve-command.js';
import { jq, jqRecipes } from '../support/jq-recipes.js';
import { outputChecks } from '../support/output-checks.js';
import { until } from '../support/until.js';

/*
 * The command line as a client of the management service, from a folder without a project, beside the same commands on the
 * services themselves.
 */
const server = useMortalServer();
let store: Store;
let plane: TestControlPlane;
let api: RunningService;
let audit: StoreAuditTrail;
let elsewhere: string;
let services: NodeJS.ProcessEnv;
const keys: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await server.database();
  store = openControlPlaneStore(databaseUrl);
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
  services = { TEMPORAL_ADDRESS: plane.environment.address, DATABASE_URL: databaseUrl };
  elsewhere = await mkdtemp(join(plane.home, 'elsewhere-'));
  const records: ApiKeyRecord[] = [];
  for (const role of ['operator', 'reader']) {
    const { key, record } = createApiKey({ subject: `ci ${role}`, tenant: '*', roles: [role] }, new Date());
    keys[role] = key;
    records.push(record);
  }
  const file = new ApiKeyFile(join(plane.home, 'keys.json'));
  await file.write(records);
  const log = pino({ level: 'silent' });
  audit = new StoreAuditTrail(store.writer, log);
  const application = createApplication({
    ...{ reeve: plane.reeve, modules: [controlPlaneModule], log, audit, store: serviceStore(store) },
    authenticator: new CredentialsAuthenticator({ keys: file }),
  });
  api = await startService(application);
});
afterAll(async () => {
  await api.stop();
  await audit.close();
  await plane.close();
  await store.close();
});

const NOTHING = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined };

/** Over HTTP, where there is neither a project nor anything else to work on. */
function remote(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
  return callReeve(args, { ...overHttp(), ...env }, elsewhere);
}

/** The same as a process of its own, as a user types it: it ends by itself. */
function typedThere(args: readonly string[], hear?: (text: string) => void): Promise<Output> {
  return runReeve(args, overHttp(), elsewhere, hear);
}

function overHttp(): NodeJS.ProcessEnv {
  const home = { REEVE_DATA_DIR: join(elsewhere, 'none') };
  return { ...NOTHING, REEVE_API: api.url, REEVE_API_KEY: keys['operator'], ...home };
}

/** On Temporal and the store themselves. */
function local(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
  return callReeve(args, { ...services, ...env });
}

/** Which members a value has, however deep; of a list, those of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** Tells in words how the JSON of a command differs from its schema. */
let mistakesIn: (args: readonly string[], document: unknown) => readonly string[];
beforeAll(async () => {
  mistakesIn = outputChecks(parse(await local(['schema'])));
});

const parse = ({ stdout }: Output) => JSON.parse(stdout) as Readonly<Record<string, unknown>>;
const items = (output: Output) => parse(output)['items'] as readonly Readonly<Record<string, unknown>>[];

describe('the command line over HTTP (S6.3)', () => {
  let operation: string;
  beforeAll(async () => {
    const created = await typedThere(['create', 'LogicalServer/far', '--wait']);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    expect(created.stderr).toMatch(/SqlApplication\/far +Ready/);
    expect(created.stdout).toMatch(/^create LogicalServer\/far: success after \d+\.\d s\n$/);
    operation = await until(async () => {
      const [row] = items(await remote(['operations', 'list', '--name', 'LogicalServer/far', '--json']));
      expect(row).toMatchObject({ outcome: 'success' });
      return String(row?.['operation_id']);
    });
    // The feed has what is certain, which is later than what the operation shows.
    await until(async () => {
      const { stdout } = await remote(['changes', 'list', '--types', 'LogicalServer']);
      expect(stdout).toMatch(/→ Ready/);
    });
  });

  it('gives the same JSON as on the services themselves, by its schema (S6.3)', async () => {
    const mistakes: string[] = [];
    for (const args of [
      ['get', 'LogicalServer/far'],
      ['get', 'LogicalServer/far', '--as-of', '4'],
      ['explain', 'LogicalServer/far'],
      ['entities'],
      ['entities', 'LogicalServer'],
      ['operations', 'list'],
      ['attention'],
      ['operations', 'summary'],
      ['operations', 'show', operation],
      ['operations', 'show', operation, '--values'],
      ['operations', 'explain', operation],
      ['operations', 'follow', operation],
      ['events', operation],
      ['transitions', operation],
      ['calls', operation],
      ['callbacks', 'list'],
      ['errors'],
      ['summary'],
      ['audit'],
      ['audit', '--changes'],
      ['rejections'],
      ['changes', 'list'],
      ['changes', 'listeners'],
      ['entities', '--stuck'],
      ['summary', 'events'],
      ['deployments', 'list'],
      ['distributed', 'list'],
    ]) {
      const [there, here] = await Promise.all([remote([...args, '--json']), local([...args, '--json'])]);
      expect(there, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
      expect(shapeOf(parse(there)), args.join(' ')).toEqual(shapeOf(parse(here)));
      mistakes.push(...[there, here].flatMap((said) => mistakesIn(args, parse(said))));
    }
    for (const args of [['entities', '--live'], ['operations', 'running'], ['doctor'], ['check']])
      mistakes.push(...mistakesIn(args, parse(await local([...args, '--json']))));
    expect(mistakes).toEqual([]);
  });

  it('shows who has changed something, without those who only read (S6.5)', async () => {
    const actions = items(await remote(['audit', '--changes', '--json'])).map(({ action }) => action);
    expect(actions).toContain('create create');
    expect(actions.filter((action) => /^(read|list)/.test(String(action)))).toEqual([]);
  });

  it('is taken by the jq recipes of the documentation (S6.3)', async () => {
    const printed: Record<string, string> = {};
    for (const recipe of await jqRecipes('docs/operate/command-line.md')) {
      const { code, stdout, stderr } = await remote(recipe.args.map((word) => word.replace('/demo', '/far')));
      expect(code, stderr).toBe(0);
      printed[recipe.filter] = await jq(stdout, recipe);
    }
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`;
    for (const [filter, says] of Object.entries({
      '.items[].entity': /^LogicalServer\/far$/m,
      '.items[] | select(.health == "error") | .entity': /^$/,
      '.properties': /"administrator": /,
      '.events[] | select(.allowed) | .event': /^delete$/m,
      '.items[] | select(.outcome == "running") | .request_id': /^$/,
      '[.items[].outcome] | group_by(.) | map({(.[0]): length}) | add': /"success":1/,
      '.items[] | [.workflow_start_time[:19], .name] | @tsv': new RegExp(`^${time}\tcreate LogicalServer/far$`, 'm'),
      '.entities[0].failure': /^null$/,
      '.items[] | [.since, .name, .command] | @tsv': /^$/,
      '.items[] | [.time, .subject, .action] | @tsv': new RegExp(`^${time}\\.\\d{3}Z\tci operator\t`, 'm'),
    })) {
      expect(printed[filter], filter).toMatch(says);
      delete printed[filter];
    }
    expect(printed).toEqual({});
  });

  it('shows people the same, too', async () => {
    expect((await remote(['get', 'LogicalServer/far'])).stdout).toMatch(
      /^LogicalServer\/far {2}Ready\n[^]*delete +valid/,
    );
    expect((await remote(['operations', 'show', operation])).stdout).toMatch(/^create LogicalServer\/far {2}success\n/);
    const transitions = await remote(['transitions', operation]);
    expect(transitions.stdout).toMatch(/LogicalServer\/far +4 .*createResources +Creating → CreatingResources/);
    expect((await remote(['calls', operation])).stdout).toMatch(
      /^AT +ENTITY +ACTION +CALL +MODE +WORKER +TOOK\n[^]*SqlApplication\/far +install +databases\.createInstance +activity +\d+@\S+ +\d/,
    );
    expect((await remote(['callbacks', 'list'])).stderr).toBe('No entity awaits an answer from outside.\n');
    expect((await remote(['changes', 'list', '--types', 'LogicalServer'])).stdout).toMatch(
      /^AT +ENTITY +# +ACTION .*\n.*LogicalServer\/far +1 +begin +Absent → Placing +success/,
    );
    expect((await remote(['changes', 'listeners'])).stdout).toMatch(/^LISTENER +BEHIND +LAG +LAST SEEN\n/);
    expect((await remote(['summary'])).stdout).toMatch(
      /^DAY +NAME +TOTAL .*\n\d{4}-\d\d-\d\d +create LogicalServer +1 /,
    );
    expect((await remote(['summary', 'events', '--name', 'LogicalServer'])).stdout).toMatch(
      /LogicalServer\.create +1 /,
    );
    expect((await remote(['operations', 'summary', '--since', '1d'])).stdout).toMatch(
      /^Operations from .* until now\n1 operation: 1 succeeded\.\n\nNAME +TOTAL +RUNNING +SUCCESS .*MEAN +P95.*\n(create|set).* LogicalServer +1 /,
    );
    const openapi = parse(await remote(['openapi']));
    expect(Object.keys(openapi['paths'] as object)).toContain('/api/control-plane/v1/LogicalServer');
  });

  it('counts what runs, as Temporal shows it, while the store is unavailable (A4)', async () => {
    const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
    const counted = await local(['operations', 'summary', '--json'], away);
    expect(counted, counted.stderr).toMatchObject({ code: 0 });
    expect(parse(counted)).toMatchObject({ '@reeve.source': 'temporal', all: { running: 0, finished: null } });
    const shown = await local(['operations', 'summary'], away);
    expect(shown).toMatchObject({ code: 0, stdout: '' });
    expect(shown.stderr).toMatch(/^The store is unavailable\. .* from Temporal\.\nNo operation runs\.\n$/);
    const ended = await local(['operations', 'summary', '--until', '1h'], away);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('It does not have what ran at another time');
  });

  it('shows an entity as it was, with what led to it (S5.3)', async () => {
    for (const way of [remote, local]) {
      const was = await way(['get', 'LogicalServer/far', '--as-of', '2']);
      expect(was, was.stderr).toMatchObject({ code: 0 });
      expect(was.stdout).toMatch(/^LogicalServer\/far {2}\w+ {2}as it was\n\n *version +2\n *since +\d[^]*\n *by +\w+/);
      expect(parse(await way(['get', 'LogicalServer/far', '--as-of', '2', '--json']))).toMatchObject({
        ...{ type: 'LogicalServer', key: 'far', version: 2, left_out: [] },
        properties: expect.any(Object),
      });
      expect(await way(['get', 'LogicalServer/far', '--as-of', '999'])).toMatchObject({ code: 2, stdout: '' });
    }
    for (const [args, says] of [
      [['--as-of', 'yesterday'], "--as-of takes the number of a version, like 7, and not 'yesterday'."],
      [['--life', 'x'], '--life needs --as-of'],
    ] as const)
      expect(await remote(['get', 'LogicalServer/far', ...args])).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringContaining(says),
      });
  });

  it('raises an event on several as one request, and says what has become of each (S6.1)', async () => {
    const rule = JSON.stringify({ name: 'home', cidr: '10.2.0.0/16' });
    const raise = ['raise', 'LogicalServer/far', 'setFirewallRule', '--params', rule, '--also', 'LogicalServer/nobody'];
    for (const [way, requestId] of [
      [remote, 'rules-there'],
      [local, 'rules-here'],
    ] as const) {
      const once = await way([...raise, '--request-id', requestId]);
      expect(once).toMatchObject({ code: 2, stderr: '' });
      expect(once.stdout).toMatch(
        /^LogicalServer\/far +(success|running) +\S+\nLogicalServer\/nobody +absent: .+\n1 accepted, 1 rejected\n$/,
      );
      const version = await until(async () => {
        const far = parse(await way(['get', 'LogicalServer/far', '--json']));
        expect(far['settled']).toBe(true);
        return far['version'];
      });
      const again = parse(await way([...raise, '--request-id', requestId, '--json']));
      expect(mistakesIn(['raise'], again)).toEqual([]);
      expect(again).toMatchObject({ accepted: 1, rejected: 1, unknown: 0, idempotency_key: requestId });
      expect(parse(await way(['get', 'LogicalServer/far', '--json']))['version']).toBe(version);
    }
    expect(await remote([...raise, '--wait'])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('--also goes neither with --wait nor with --if-match'),
    });
  });

  it('follows an entity live, and raises only at the version that is meant (S6.1)', async () => {
    const version = Number(parse(await remote(['get', 'LogicalServer/far', '--json']))['version']);
    const rule = JSON.stringify({ name: 'office', cidr: '10.1.0.0/16' });
    const raise = ['raise', 'LogicalServer/far', 'setFirewallRule', '--params', rule, '--wait', '--if-match'];
    for (const way of [remote, local]) {
      const refused = await way([...raise, String(version - 1), '--json']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'version_conflict', entity: 'LogicalServer/far' });
      expect(mistakesIn(['error'], JSON.parse(refused.stderr))).toEqual([]);
    }
    let heard = '';
    const followed = typedThere(['follow', 'LogicalServer/far', '--until', 'Deleted', '--json'], (text) => {
      heard += text;
    });
    await until(async () => expect(heard).toContain('"state":"Ready"'));
    expect(await remote([...raise, String(version)])).toMatchObject({ code: 0 });
    const gone = await remote(['raise', 'LogicalServer/far', 'delete', '--wait', '--json']);
    expect(parse(gone)).toMatchObject({ outcome: 'success' });
    expect(mistakesIn(['raise'], parse(gone))).toEqual([]);
    const { code, stdout } = await followed;
    const seen = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { version: number; state: string });
    expect(seen.flatMap((each) => mistakesIn(['follow'], each))).toEqual([]);
    expect(seen.map((each) => each.version)).toEqual([...seen.map((each) => each.version)].sort((a, b) => a - b));
    expect([code, seen[0]?.state, seen.at(-1)?.state]).toEqual([0, 'Ready', 'Deleted']);
  });

  it('follows and cancels an operation from elsewhere (S4.7)', async () => {
    plane.failures.set('databases.createInstance stuck', 1_000);
    const begun = parse(await remote(['create', 'LogicalServer/stuck', '--json']));
    expect(begun).toMatchObject({ outcome: 'running' });
    const id = String(begun['request_id']);
    await until(async () => expect((await remote(['operations', 'explain', id])).stdout).toContain('provider_down'));
    const [followed, canceled] = await Promise.all([
      remote(['operations', 'follow', id, '--json']),
      remote(['operations', 'cancel', id, '--wait']),
    ]);
    expect(followed.code).toBe(1);
    const { outcome } = parse(followed);
    expect(canceled).toMatchObject({
      code: outcome === 'canceled' ? 0 : 1,
      stdout: expect.stringContaining(`: ${String(outcome)} after`),
    });
  });
});

describe('who asks over HTTP (S6.5)', () => {
  const raise = ['raise', 'LogicalServer/none', 'delete'];

  it('has the rights of the key, and is told in the words of the service what those do not allow', async () => {
    const reader = { REEVE_API_KEY: keys['reader'] };
    expect(await remote(['create', 'LogicalServer/mine'], reader)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(
        /^not_allowed: 'create' on LogicalServer\/mine requires one of the roles owner, operator/,
      ),
    });
    // The trail is written beside the answers.
    await until(async () => {
      const denied = items(await remote(['audit', '--denied', '--subject', 'ci reader', '--json']));
      expect(denied).toMatchObject([{ subject: 'ci reader', action: 'create create', decision: 'denied' }]);
    });
  });

  it.each([
    {
      without: 'a key',
      env: { REEVE_API_KEY: undefined },
      code: 2,
      says: 'unauthenticated: The service requires authentication',
    },
    { without: 'a right key', env: { REEVE_API_KEY: 'rk_no' }, code: 2, says: 'in REEVE_API_KEY: it is invalid' },
    { without: 'a service', env: { REEVE_API: 'http://127.0.0.1:1' }, code: 3, says: '(REEVE_API) cannot be reached' },
    {
      without: 'an address',
      env: { REEVE_API: 'nowhere' },
      code: 2,
      says: "REEVE_API is 'nowhere', which is not an address",
    },
    {
      without: 'REEVE_API',
      env: { REEVE_API: undefined },
      code: 2,
      says: 'REEVE_API_KEY is set, and REEVE_API is not',
    },
  ])('is told what to do without $without', async ({ env, code, says }) => {
    const answered = await remote(raise, env);
    expect(answered).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) });
  });

  it.each([
    { given: ['up'] },
    { given: ['doctor'] },
    { given: ['store', 'migrate'] },
    { given: ['store', 'rebuild'] },
    { given: ['payload-keys', 'renew'] },
    { given: ['create', 'LogicalServer/x', '--task-queue', 'yonder'] },
  ])('is not answered from the data directory by $given, which does not work over HTTP', async ({ given }) => {
    expect(await remote(given)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('REEVE_API') });
  });
});

describe('the command line on the services themselves', () => {
  it('is in the audit trail with what it raises, and with what the entity refused (S6.5)', async () => {
    expect(await local(['create', 'LogicalServer/near', '--no-event'])).toMatchObject({ code: 0, stderr: '' });
    expect(await local(['raise', 'LogicalServer/near', 'delete'])).toMatchObject({ code: 2 });
    expect(await local(['get', 'LogicalServer/near'])).toMatchObject({ code: 0 });
    const entries = items(await local(['audit', '--entity', 'LogicalServer/near', '--json']));
    const subject = `${userInfo().username}@${hostname()}`;
    const common = { subject, tenant: '*', decision: 'allowed' };
    expect(entries).toMatchObject([
      { ...common, action: 'raise delete', reason: expect.stringMatching(/^The entity rejected it: \w+\.$/) },
      { ...common, action: 'create', reason: null, operation: expect.any(String) },
    ]);
    const rejected = items(await local(['rejections', '--entity', 'LogicalServer/near', '--json']));
    expect(rejected).toMatchObject([
      {
        event: 'delete',
        code: expect.any(String),
        state: expect.any(String),
        subject,
        tenant: null,
        times: 1,
      },
    ]);
  });

  it('lets all that runs go on in new runs, so that nothing needs an older key (Q5)', async () => {
    const near = plane.environment.client.workflow.getHandle('LogicalServer/near');
    const { runId } = await near.describe();
    const renewed = await local(['payload-keys', 'renew', '--rate', '100']);
    expect(renewed, renewed.stderr).toMatchObject({ code: 0 });
    expect(renewed.stdout).toMatch(
      /^Everything that runs began after \d{4}-\d\d-\d\dT.+reeve payload-keys destroy ID\.\n$/,
    );
    expect((await near.describe()).runId).not.toBe(runId);
  });

  it('says where it cannot be in the audit trail (S6.5)', async () => {
    const unaudited = await local(['create', 'LogicalServer/unaudited', '--no-event'], {
      ...{ DATABASE_URL: undefined, REEVE_DATA_DIR: join(elsewhere, 'none') },
    });
    expect(unaudited).toMatchObject({ code: 0, stderr: expect.stringContaining('is not in the audit trail') });
  });

  it('reads an entity from the store where no worker answers, and says so with the time (S5.2)', async () => {
    await until(async () =>
      expect(items(await local(['entities', '--where', "key eq 'near'", '--json']))).toHaveLength(1),
    );
    await plane.stopWorker();
    try {
      for (const way of [local, remote]) {
        const shown = await way(['get', 'LogicalServer/near']);
        expect(shown).toMatchObject({ code: 0 });
        expect(shown.stdout).toMatch(/as of +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}, from the store: no worker answers/);
        expect(parse(await way(['get', 'LogicalServer/near', '--json']))).toMatchObject({ stale: true, gone: false });
      }
    } finally {
      await plane.startWorker();
    }
  });
});
