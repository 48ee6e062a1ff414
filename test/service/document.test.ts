import { Validator } from '@seriousme/openapi-schema-validator';
import { Client } from '@temporalio/client';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { controlPlane } from '../../workflows/definitions.js';
import { Site } from '../entities/site.js';

/** Only its document is asked for, so nothing is connected to. */
function application() {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const modules = [
    { name: 'control-plane', version: 1, entities: controlPlane },
    { name: 'sites', version: 2, entities: [Site] },
  ];
  const reeve = new ReeveClient({ client, entities: [...controlPlane, Site] });
  return createApplication({ reeve, modules, log: pino({ level: 'silent' }) });
}

const get = async (path: string) => application().fetch(new Request(`http://127.0.0.1${path}`));
const load = async () => (await (await get('/openapi.json')).json()) as Document;

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
}
interface Call {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: unknown }>>;
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { readonly schema: unknown }> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

describe('the document (S6.1)', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...(await load()) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('says null beside what has a name, and not of it (S6.1)', async () => {
    const { components } = await load();
    const { properties } = components.schemas['RaiseManyReport'] as Described;
    const { operation, problem } = properties!['items']!.items!.properties!;
    for (const [member, name] of [
      [operation, 'Operation'],
      [problem, 'Problem'],
    ] as const) {
      expect(member).toMatchObject({ anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] });
    }
    expect(components.schemas['EndRecord']).toMatchObject({ type: 'object' });
  });

  it('has a read with all of the entity, and with what $select has taken of it (S6.2)', async () => {
    const { components } = await load();
    expect(components.schemas['LogicalServer']).toHaveProperty('required');
    expect(components.schemas['SelectedLogicalServer']).not.toHaveProperty('required');
  });

  it('has each public event with its parameters, and no internal one', async () => {
    const { paths } = await load();
    const path = '/api/control-plane/v1/LogicalServer';
    expect(paths[`${path}/{key}/create`]!['post']!.requestBody!.content['application/json']!.schema).toMatchObject({
      type: 'object',
      properties: { administrator: { type: 'string', default: 'administrator' } },
      additionalProperties: false,
    });
    expect(paths[`${path}/{key}/delete`]).toBeDefined();
    expect(paths[`${path}/{key}/resourcesReady`]).toBeUndefined();
  });

  it('has each declared rejection with its status and its states', async () => {
    const { paths } = await load();
    const { responses } = paths['/api/control-plane/v1/LogicalServer/{key}/create']!['post']!;
    expect(responses['409']!.description).toContain('`creation_failed` in Undoing, Failed');
    expect(JSON.stringify(responses['409']!.content)).toContain('"deletion_in_progress"');
  });

  it('says by which events an entity comes to be, with what', async () => {
    const { paths } = await load();
    const { schema } = paths['/api/sites/v2/Site']!['post']!.requestBody!.content['application/json']!;
    expect(schema).toMatchObject({
      anyOf: [
        { title: 'without an event', required: ['key', 'construct'] },
        { title: 'build', properties: { event: { const: 'build' }, construct: { properties: { size: {} } } } },
        { title: 'drop' },
      ],
    });
    const { parameters } = paths['/api/sites/v2/Site/{key}']!['get']!;
    expect(parameters?.[0]).toMatchObject({ name: 'key', schema: { type: 'string', minLength: 1, maxLength: 200 } });
  });

  it('names each call once, and says of each how it can fail', async () => {
    const calls = Object.entries((await load()).paths).flatMap(([path, methods]) =>
      Object.values(methods).map((call) => ({ path, call })),
    );
    const names = calls.map(({ call }) => call.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, call } of calls.filter(({ path: each }) => each.startsWith('/api/'))) {
      // Where the address is the proof, nobody is asked who they are.
      const isProof = path === '/api/callbacks/{token}';
      // Everyone with credentials is told who they are, and what is declared.
      // Each of the events that are raised at once is refused by itself.
      const isForAll = ['/api/me', '/api/types', '/api/raise'].includes(path);
      const credentials = isProof ? [] : isForAll ? ['401'] : ['401', '403'];
      expect(Object.keys(call.responses), path).toEqual(expect.arrayContaining([...credentials, '500', '503']));
    }
  });

  it('has what the store tells, whether one is connected or not', async () => {
    const { paths } = await load();
    for (const list of ['/api/operations', '/api/audit', '/api/sites/v2/Site', '/api/operations/{id}/events']) {
      expect(paths[list]?.['get'], list).toBeDefined();
    }
    const listed = await get('/api/operations');
    expect(listed.status).toBe(503);
    expect(await listed.json()).toMatchObject({ code: 'no_store' });
  });

  it('is read on a page that loads nothing from elsewhere', async () => {
    const answer = await get('/docs');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const page = await answer.text();
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect(file).toMatch(/^docs\//);
      expect((await get(`/${file}`)).status).toBe(200);
    }
    expect(await (await get('/docs/start.js')).text()).toContain('validatorUrl: null');
  });
});
