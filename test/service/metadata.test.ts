import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { fleet } from './fleet.js';
import type { Store } from '../../src/store/index.js';

/** Only what describes the lists is asked for, so no store is connected to. */
const get = fleet({} as Pick<Store, 'reader' | 'writer'>);
const metadata = async (root = '/api/fleet/v2') => (await get(`${root}/$metadata`)).body as unknown as Document;

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
      tons: { $Type: 'Edm.Int64' },
      launched: { $Type: 'Edm.DateTimeOffset', $Nullable: true },
      cargo: { $Collection: true },
      crew: { $Type: 'fleet.v2.Ship_properties_crew' },
    });
    expect(fleetTypes?.['Container']).toMatchObject({
      Ship: { $Collection: true, $Type: 'fleet.v2.Ship', $NavigationPropertyBinding: { home: 'Port', visits: 'Port' } },
    });
  });

  it('has each event as an action bound to its type, with its parameters', async () => {
    const { 'fleet.v2': fleetTypes } = await metadata();
    expect(fleetTypes?.['build']).toMatchObject([
      { $Kind: 'Action', $IsBound: true, $Parameter: [{ $Name: 'entity', $Type: 'fleet.v2.Port' }, {}, {}] },
      {
        $IsBound: true,
        $Parameter: [
          { $Name: 'entity', $Type: 'fleet.v2.Ship' },
          { $Name: 'tons', $Type: 'Edm.Int64' },
          { $Name: 'crew', $Type: 'fleet.v2.Ship_build_crew' },
        ],
      },
    ]);
    expect(fleetTypes?.['scrap']).toHaveLength(2);
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
