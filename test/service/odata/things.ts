import type { EntityModel } from '../../../src/service/odata/index.js';

export type Row = Readonly<Record<string, unknown>>;

export const things: EntityModel = {
  name: 'things',
  table: 'things',
  key: ['id'],
  served: { path: '/things/{id}', by: ['id'] },
  properties: {
    id: { kind: 'integer', required: true },
    name: { kind: 'string' },
    outcome: { kind: 'enum', values: ['success', 'failed', 'hung'] },
    size: { kind: 'integer' },
    ratio: { kind: 'double' },
    flag: { kind: 'boolean' },
    started: { kind: 'dateTime' },
    day: { kind: 'date' },
    ref: { kind: 'guid' },
    properties: {
      kind: 'object',
      properties: {
        port: { kind: 'integer' },
        host: { kind: 'string' },
        open: { kind: 'boolean' },
        since: { kind: 'dateTime' },
        day: { kind: 'date' },
        ref: { kind: 'guid' },
        tags: { kind: 'collection', of: { kind: 'string' } },
        address: { kind: 'object', properties: { city: { kind: 'string' } } },
        anything: { kind: 'json' },
      },
    },
  },
  navigation: [{ name: 'parts', many: true, target: () => parts, on: [['id', 'thing']] }],
};

export const parts: EntityModel = {
  name: 'parts',
  table: 'parts',
  key: ['thing', 'id'],
  properties: {
    thing: { kind: 'integer', required: true },
    id: { kind: 'integer', required: true },
    name: { kind: 'string' },
    size: { kind: 'integer' },
  },
  navigation: [{ name: 'owner', many: false, target: () => things, on: [['thing', 'id']] }],
};

/** A thing with nothing but a key, and what else is given. */
export function thing(id: number, given: Row = {}): Row {
  return { id, properties: {}, ...given };
}
