import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, type Application } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { controlPlane, controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { disagreements, type Csdl } from '../service/csdl.js';
import { useMortalServer } from '../store/server.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { until } from '../support/until.js';

/*
 * The answers of the reference control plane about a server that was really provisioned, held against its own $metadata.
 */
const ROOT = '/api/control-plane/v1';
const ENTITY_TYPES = ['Alias', 'DatabaseService', 'DnsRecord', 'LogicalServer', 'SqlApplication'];

const database = useMortalServer();
let store: Store;
let plane: TestControlPlane;
let application: Application;

type Item = Readonly<Record<string, unknown>>;

async function ask(path: string, init: RequestInit = {}): Promise<Item> {
  const answer = await application.fetch(new Request(`http://127.0.0.1${path}`, init));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Item;
}

const items = async (path: string) => (await ask(path))['value'] as readonly Item[];
const metadata = async (root: string) => (await ask(`${root}/$metadata?$format=json`)) as unknown as Csdl;

beforeAll(async () => {
  store = openControlPlaneStore(await database.database());
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
  application = createApplication({
    ...{ reeve: plane.reeve, modules: [controlPlaneModule], store: serviceStore(store) },
    log: pino({ level: 'silent' }),
  });
  const created = await plane.reeve.create(LogicalServer, 'orders', 'create', {}, { requestId: 'create-orders' });
  expect(await plane.reeve.operations.result(created)).toMatchObject({ outcome: 'success' });
  const rule = { name: 'office', cidr: '10.1.0.0/16' };
  const ruled = await plane.reeve.raise(LogicalServer, 'orders', 'setFirewallRule', rule, { requestId: 'set-rule' });
  expect(await plane.reeve.operations.result(ruled)).toMatchObject({ outcome: 'success' });
  await until(async () => {
    const told = await store.reader.selectFrom('operations').select('outcome').execute();
    expect(told.map(({ outcome }) => outcome)).toEqual(['success', 'success']);
    const standing = await store.reader.selectFrom('entities').select('settled').where('settled', '=', true).execute();
    expect(standing).toHaveLength(ENTITY_TYPES.length);
  });
});
afterAll(async () => {
  await plane.close();
  await store.close();
});

describe('what is read and $metadata (S6.2)', () => {
  it('agree on each property of each entity, both ways', async () => {
    const document = await metadata(ROOT);
    expect(controlPlane.map(({ name }) => name)).toEqual(expect.arrayContaining(ENTITY_TYPES));
    for (const type of ENTITY_TYPES) {
      const [listed] = await items(`${ROOT}/${type}`);
      const read = await ask(`${ROOT}/${type}('${String(listed!['key'])}')`);
      const of = `control_plane.v1.${type}`;
      expect(disagreements(document, of, read), type).toEqual([]);
      expect(read).toMatchObject({ '@odata.context': `${ROOT}/$metadata#${type}/$entity`, stale: false });
      // A list has all but what only the entity itself can tell.
      const live = Object.keys(read).filter((name) => !Object.hasOwn(listed!, name) && !name.includes('@'));
      expect(disagreements(document, of, { ...pick(read, live), ...listed })).toEqual([]);
      for (const name of Object.keys(listed!)) expect(read, `${type}.${name}`).toHaveProperty([name]);
      const restricted = document['control_plane.v1']!['Container']![type] as Item;
      const filter = restricted['@Org.OData.Capabilities.V1.FilterRestrictions'] as Item;
      expect([...(filter['NonFilterableProperties'] as string[])].sort()).toEqual(live.sort());
    }
  });

  it('agree on the members of subordinates, as they are listed, expanded, read and held', async () => {
    const document = await metadata(ROOT);
    const [rule] = await items(`${ROOT}/LogicalServer('orders')/firewallRules?$filter=key eq 'office'`);
    expect(rule).toEqual({ key: 'office', first: '10.1.0.0', last: '10.1.255.255' });
    expect(disagreements(document, 'control_plane.v1.LogicalServer_firewallRules', rule)).toEqual([]);
    expect(await ask(`${ROOT}/LogicalServer('orders')/firewallRules('office')`)).toMatchObject(rule!);
    const expanded = await ask(`${ROOT}/LogicalServer('orders')?$expand=firewallRules,databases,application,events`);
    expect(expanded['firewallRules']).toContainEqual(rule);
    expect(expanded['subordinates']).toMatchObject({ firewallRules: { office: { first: '10.1.0.0' } } });
    const ways = ['application', 'events', 'firewallRules', 'databases'];
    const without = Object.fromEntries(Object.entries(expanded).filter(([name]) => !ways.includes(name)));
    expect(disagreements(document, 'control_plane.v1.LogicalServer', without)).toEqual([]);
    const found = await items(
      `${ROOT}/LogicalServer?$filter=firewallRules/any(r:r/last eq '10.1.255.255')&$select=key`,
    );
    expect(found).toEqual([{ key: 'orders' }]);
  });

  it('agree on each property of operations, and of all else that the store tells', async () => {
    const document = await metadata('/api');
    const read = await ask("/api/operations('create-orders')");
    expect(disagreements(document, 'reeve.v1.operations', read)).toEqual([]);
    expect(read).toMatchObject({ request_id: 'create-orders', outcome: 'success', restart_count: 0 });
    const [listed] = await items(`/api/operations?$filter=request_id eq 'create-orders'`);
    for (const name of Object.keys(listed!)) expect(read, name).toHaveProperty([name]);
    const { Container: container } = document['reeve.v1']!;
    for (const { name } of await items('/api')) {
      const type = String((container![String(name)] as Item)['$Type']);
      for (const row of await items(`/api/${String(name)}?$top=20`)) {
        const live = type === 'reeve.v1.operations' ? read : {};
        // A sum over all has no dimension. It is not addressed by its key, whose parts OData does not let be null.
        const found = disagreements(document, type, { ...live, ...row }).filter(
          (each) => !/(rollup|causes)\/dimension(_value)?: is null/.test(each),
        );
        expect(found, String(name)).toEqual([]);
      }
    }
  });

  it('agree on what an action answers', async () => {
    const document = await metadata(ROOT);
    const headers = { 'content-type': 'application/json', prefer: 'wait=20' };
    const body = JSON.stringify({ name: 'office' });
    const path = `${ROOT}/LogicalServer('orders')/control_plane.v1.removeFirewallRule`;
    const answer = await ask(path, { method: 'POST', headers, body });
    const [action] = document['control_plane.v1']!['removeFirewallRule'] as unknown as readonly Item[];
    expect(action!['$ReturnType']).toEqual({ $Type: 'reeve.v1.operations' });
    const nothingYet = await columnsWithout(document, answer);
    expect(disagreements(document, 'reeve.v1.operations', { ...nothingYet, ...answer })).toEqual([]);
    expect(answer).toMatchObject({ outcome: 'success', errors: [] });
    // Whatever the store has heard of it until now.
    const read = await ask(`${ROOT}/LogicalServer('orders')?$expand=firewallRules&$select=subordinates`);
    const { local } = (read['subordinates'] as Readonly<Record<string, Item>>)['firewallRules']! as Record<
      string,
      Item
    >;
    expect(read['subordinates']).toEqual({ firewallRules: { local }, databases: {} });
    expect(read['firewallRules']).toEqual([{ key: 'local', ...local }]);
  });
});

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

/** Gives the columns that the store knows a moment later. */
async function columnsWithout(document: Csdl, answer: Item): Promise<Item> {
  const declared = Object.entries(document['reeve.v1']!['operations']!) as [string, Item][];
  const late = declared.filter(([name, each]) => each['$Nullable'] === true && !Object.hasOwn(answer, name));
  return Object.fromEntries(late.map(([name]) => [name, null]));
}
