import { Client } from '@temporalio/client';
import pino from 'pino';
import { z } from 'zod';
import { ReeveClient } from '../../src/client/client.js';
import { defineEntity, initial, link, links, stable } from '../../src/definition/index.js';
import { dimensionNames } from '../../src/definition/dimension-names.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { createApplication } from '../../src/service/application.js';
import type { AuditTrail } from '../../src/service/audit-trail.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Lamp } from '../entities/lamp.js';
import { rolesAndTenants, type Who } from '../support/who.js';
import { event, operation, standing, START, transition } from '../store/records.js';
import type { Answered } from './fleet.js';

/*
 * Depots of tenants, and yards of nobody, as rows of a store: no Temporal is needed.
 */
const machine = {
  states: { Absent: initial(), Ready: stable() },
  events: { open: { in: 'Absent' }, close: { in: 'Ready' } },
  actions: { open: { on: 'open', in: 'Absent', to: 'Ready' }, close: { on: 'close', in: 'Ready', to: 'Absent' } },
} as const;

export const Yard = defineEntity('Yard', {
  key: z.string(),
  properties: z.object({ size: z.int().default(1) }),
  ...machine,
});

export const Depot = defineEntity('Depot', {
  key: z.string(),
  properties: z.object({ size: z.int().default(1), region: z.string().optional() }),
  links: { main: link('Depot'), others: links('Depot'), yard: link(Yard) },
  subordinates: { crates: z.object({ weight: z.int() }) },
  dimensions: { tenant: 'tenant', region: 'properties.region' },
  roles: { read: ['reader', 'operator'] },
  ...machine,
});

export const MODULE = { name: 'depots', version: 1, entities: [Depot, Yard] };
export const DIMENSIONS = dimensionNames(MODULE.entities);
export const DEPOTS = '/api/depots/v1/Depot';
export const YARDS = '/api/depots/v1/Yard';

export const READER: Who = { role: 'reader', tenant: 'acme' };
export const OPERATOR: Who = { role: 'operator', tenant: '*' };

/** Asks a service that has nothing but a store. */
export function depots(store: Pick<Store, 'reader' | 'writer'>, audit: AuditTrail = { record: () => undefined }) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const application = createApplication({
    reeve: new ReeveClient({ client, entities: MODULE.entities, components: [Lamp] }),
    modules: [MODULE],
    log: pino({ level: 'silent' }),
    authenticator: rolesAndTenants,
    audit,
    store: serviceStore(store),
    settings: { pageRows: [100, 100], expandedRows: 5 },
  });
  return async (
    { role, tenant }: Who,
    path: string,
    options: Readonly<Record<string, string>> = {},
    maxRows?: number,
  ): Promise<Answered> => {
    const url = new URL(path, 'http://127.0.0.1');
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    const prefer = maxRows !== undefined && { prefer: `maxpagesize=${maxRows}` };
    const headers = { 'x-role': role, 'x-tenant': tenant, ...prefer };
    const response = await application.fetch(new Request(url, { headers }));
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] };
  };
}

/** Tells what happened to one depot of a tenant, or of nobody: an operation with an event, its transitions and its errors. */
export function story(
  key: string,
  tenant: string | undefined,
  links: Readonly<Record<string, string | readonly string[]>> = {},
  life = `life of ${key}`,
): readonly StoreRecord[] {
  const entity = { type: 'Depot', key, life };
  const id = `open ${life}`;
  const dimensions = { ...(tenant !== undefined && { tenant }), region: 'north' };
  const common = { entity, operation: id, event: id, ...(tenant !== undefined && { tenant }) };
  const own = { kind: 'retryable', code: 'down', message: `${life} is down` } as const;
  const shared = { kind: 'retryable', code: 'down', message: 'all are down' } as const;
  const exception = { kind: 'defect', code: 'defect', message: `${life} threw` } as const;
  return [
    operation(id, {
      // Another life of the same key, in the same millisecond, has a number of its own.
      ...(life !== `life of ${key}` && { startOrder: 7 }),
      ...{
        name: `open Depot/${key}`,
        dimensions,
        outcome: 'failed',
        endedAt: START + 9,
        error: own,
        summary: `Depot/${key}: ${own.message}`,
      },
    }),
    event(id, { entity, operation: id, event: 'open', dimensions, error: shared, exception, endedAt: START + 9 }),
    transition(1, { ...common, ordinal: 1, error: own, outcome: 'failed' }),
    transition(2, { ...common, ordinal: 2, error: exception, outcome: 'failed' }),
    standing(2, {
      entity,
      dimensions,
      links,
      properties: { size: key.length },
      subordinates: { crates: { c1: { weight: 7 } } },
      bornAt: START,
    }),
  ];
}

/** A lamp that a tenant, or nobody, has deployed. */
export function lit(name: string, tenant: string | undefined): readonly StoreRecord[] {
  const life = `lamp of ${name} of ${tenant ?? 'nobody'}`;
  const origin = { component: 'Lamp', ...(tenant !== undefined && { tenant }) };
  const told = { life, phase: 'up', at: START } as const;
  return [
    { kind: 'component', ...told, path: '', incarnation: 1, of: 'Lamp', times: { created: START, up: START } },
    { kind: 'component', ...told, path: 'running', incarnation: 2, of: 'Sequence', times: { up: START } },
    { kind: 'deployment', ...told, name, origin, startedAt: START, since: START },
  ];
}
