import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { inJson, inXml, readXml } from './csdl-forms.js';
import { fleet } from './fleet.js';
import type { Store } from '../../src/store/index.js';

/** Only what describes the lists is asked for, so no store is connected to. */
const get = fleet({} as Pick<Store, 'reader' | 'writer'>);
const JSON_ONLY = { accept: 'application/json' };
const metadata = async (root = '/api/fleet/v2') =>
  (await get(`${root}/$metadata`, {}, JSON_ONLY)).body as unknown as Document;

const ALLOWED = '@Org.OData.Validation.V1.AllowedValues';

type Member = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, Readonly<Record<string, Member>>>>;

describe('$metadata (S6.2)', () => {
  it('has a versioned namespace for each module, with the declared types', async () => {
    const { 'fleet.v2': fleetTypes } = await metadata();
    expect(fleetTypes?.['Ship']).toMatchObject({
      $Kind: 'EntityType',
      $Key: ['key'],
      key: {},
      version: { $Type: 'Edm.Int64' },
      flag: { $Nullable: true },
      properties: { $Type: 'fleet.v2.Ship_properties' },
      home: { $Kind: 'NavigationProperty', $Type: 'fleet.v2.Port', $Nullable: true },
      visits: { $Kind: 'NavigationProperty', $Type: 'fleet.v2.Port', $Collection: true },
      events: { $Type: 'reeve.v1.state_machine_events', $Collection: true },
    });
    expect(fleetTypes?.['Ship_properties']).toMatchObject({
      $Kind: 'ComplexType',
      tons: { $Type: 'Edm.Int64', '@Org.OData.Core.V1.Immutable': true },
      launched: { $Type: 'Edm.DateTimeOffset', $Nullable: true },
      cargo: { $Collection: true },
      crew: { $Type: 'fleet.v2.Ship_properties_crew' },
    });
    // Only of what the construction alone sets. S1.2
    expect(fleetTypes?.['Ship_properties']?.['cargo']).not.toHaveProperty('@Org.OData.Core.V1.Immutable');
    expect(fleetTypes?.['Container']).toMatchObject({
      Ship: { $Collection: true, $Type: 'fleet.v2.Ship', $NavigationPropertyBinding: { home: 'Port', visits: 'Port' } },
    });
  });

  it('has each event as an action bound to its type, with its parameters', async () => {
    const { 'fleet.v2': fleetTypes } = await metadata();
    expect(fleetTypes?.['build']).toMatchObject([
      {
        ...{ $Kind: 'Action', $IsBound: true, $ReturnType: { $Type: 'reeve.v1.operations' } },
        $Parameter: [{ $Name: 'bindingParameter', $Type: 'fleet.v2.Port' }, {}, {}],
      },
      {
        $IsBound: true,
        $Parameter: [
          { $Name: 'bindingParameter', $Type: 'fleet.v2.Ship' },
          { $Name: 'tons', $Type: 'Edm.Int64' },
          { $Name: 'crew', $Type: 'fleet.v2.Ship_build_crew' },
        ],
      },
    ]);
    expect(fleetTypes?.['scrap']).toHaveLength(2);
    // Of alternatives, all that one of them takes; what may be left out comes last.
    const OPTIONAL = { '@Org.OData.Core.V1.OptionalParameter': {} };
    expect(fleetTypes?.['moor']?.[1 as never]).toMatchObject({
      $Parameter: [
        { $Name: 'bindingParameter', $Type: 'fleet.v2.Ship' },
        { $Name: 'at' },
        { $Name: 'pier', $Type: 'Edm.Int64', ...OPTIONAL },
        { $Name: 'buoy', $Nullable: true, ...OPTIONAL },
      ],
    });
  });

  it('types the members of subordinates, as what belongs to one entity and as what it holds', async () => {
    const { 'fleet.v2': types } = await metadata();
    expect(types?.['Ship']).toMatchObject({
      subordinates: { $Type: 'fleet.v2.Ship_subordinates' },
      boats: { $Kind: 'NavigationProperty', $Type: 'fleet.v2.Ship_boats', $Collection: true, $ContainsTarget: true },
    });
    expect(types?.['Ship_boats']).toEqual({
      ...{ $Kind: 'EntityType', $Key: ['key'], key: {} },
      ...{ seats: { $Type: 'Edm.Int64' }, oars: { $Type: 'Edm.Double', $Nullable: true } },
    });
    expect(types?.['Ship_flags']).toMatchObject({ $Key: ['key'], value: { [ALLOWED]: [{ Value: 'white' }, {}] } });
    expect(types?.['Ship_subordinates']).toMatchObject({ boats: { $Type: 'fleet.v2.Ship_subordinates_boats' } });
    expect(types?.['Ship_subordinates_boats']).toMatchObject({
      $OpenType: true,
      '@Org.OData.Validation.V1.OpenPropertyTypeConstraint': ['fleet.v2.Ship_subordinates_boats_value'],
    });
    expect(types?.['Ship_subordinates_boats_value']).toMatchObject({ seats: { $Type: 'Edm.Int64' } });
  });

  it('has the key by which each is addressed, and never null', async () => {
    for (const root of ['/api', '/api/fleet/v2']) {
      for (const type of Object.values(await metadata(root)).flatMap((schema) => Object.values(schema))) {
        for (const name of (type['$Key'] ?? []) as readonly string[]) {
          expect(type[name], name).toBeDefined();
          expect(type[name]).not.toHaveProperty('$Nullable');
        }
      }
    }
    const { 'reeve.v1': levels } = await metadata('/api');
    expect(levels?.['operations']?.['$Key']).toEqual(['request_id']);
    expect(levels?.['entities']?.['$Key']).toEqual(['type', 'key']);
  });

  it('names no type that it does not have', async () => {
    for (const root of ['/api', '/api/fleet/v2']) {
      const document = await metadata(root);
      const names = JSON.stringify(document).matchAll(/"\$Type":"((?!Edm\.)[^"]+)\.([^".]+)"/g);
      for (const [, namespace = '', type = ''] of names) {
        expect(document[namespace]?.[type], `${namespace}.${type}`).toBeDefined();
      }
      const container = String(document['$EntityContainer']).split('.').slice(0, -1).join('.');
      const { value = [] } = (await get(root)).body;
      for (const { name } of value) expect(document[container]?.['Container']).toHaveProperty([String(name)]);
    }
  });
});

describe('the forms of $metadata (S6.2)', () => {
  const PATH = '/api/fleet/v2/$metadata';
  const asked = async (accept: string | undefined, options = {}) => {
    const { status, headers, body } = await get(PATH, options, accept === undefined ? {} : { accept });
    return status === 200 ? headers.get('content-type') : `${status} ${String(body['code'])}`;
  };

  it('are XML, where nothing else is asked for, and JSON, by Accept or by $format', async () => {
    expect(await asked(undefined)).toBe('application/xml');
    expect(await asked('*/*')).toBe('application/xml');
    expect(await asked('application/xml')).toBe('application/xml');
    expect(await asked('application/json')).toBe('application/json');
    expect(await asked('application/json;odata.metadata=minimal, */*;q=0.1')).toBe('application/json');
    expect(await asked('application/json;q=0.5,application/xml;q=0.9')).toBe('application/xml');
    expect(await asked('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toBe('application/xml');
    expect(await asked('application/xml', { $format: 'json' })).toBe('application/json');
    expect(await asked('text/csv', { $format: 'application/xml' })).toBe('application/xml');
    expect(await asked('text/csv')).toBe('406 not_acceptable');
    expect(await asked('application/xml;q=0, application/json;q=0')).toBe('406 not_acceptable');
    expect(await asked(undefined, { $format: 'yaml' })).toBe('400 odata_unsupported');
    expect((await get(PATH)).headers.get('vary')).toBe('Accept');
  });

  it('say the same: each type, property, way, action and set', async () => {
    for (const path of ['/api', '/api/fleet/v2']) {
      const { text = '' } = await get(`${path}/$metadata`);
      expect(inXml(readXml(text))).toEqual(inJson(await metadata(path)));
    }
  });
});

describe('the service document (S6.2)', () => {
  it('is where a client expects it, with and without a slash', async () => {
    for (const path of ['/api', '/api/fleet/v2']) {
      const found = await get(path);
      expect(found.body['@odata.context']).toBe(`${path}/$metadata`);
      expect(found.headers.get('odata-version')).toBe('4.01');
      expect((await get(`${path}/`)).body).toEqual(found.body);
    }
  });
});

describe('the document of lists (S6.1, S6.2)', () => {
  it('is valid OpenAPI 3.1, names each call once and says how each can fail', async () => {
    const { body } = await get('/openapi.json');
    const { valid, errors } = await new Validator().validate({ ...body });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const paths = body['paths'] as Record<string, Record<string, { operationId: string; responses: object }>>;
    const names = Object.values(paths).flatMap((calls) => Object.values(calls).map(({ operationId }) => operationId));
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(paths['/api/fleet/v2/Ship']!['get']!.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '500', '503', '504']),
    );
    expect(paths).toHaveProperty(['/api/operations/{id}/events/{event_id}/transitions']);
    expect(paths).toHaveProperty(['/api/fleet/v2/$metadata']);
  });
});
