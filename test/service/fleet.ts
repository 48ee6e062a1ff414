import { Client } from '@temporalio/client';
import pino from 'pino';
import { vi } from 'vitest';
import { z } from 'zod';
import { ReeveClient } from '../../src/client/client.js';
import { defineEntity, deleted, initial, link, links, stable } from '../../src/definition/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import { createApplication } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';

/*
 * Ships and ports: entities whose rows the tests write, so that no Temporal is needed.
 */
const states = { Absent: initial(), Ready: stable(), Gone: deleted() };
const events = {
  build: { params: z.object({ tons: z.int(), crew: z.object({ captain: z.string() }) }), in: 'Absent' },
  scrap: { in: 'Ready' },
  moor: {
    params: z.union([
      z.object({ at: z.string(), pier: z.int() }),
      z.object({ at: z.string(), buoy: z.string().nullable() }),
    ]),
    in: 'Ready',
  },
} as const;
const actions = {
  build: { on: 'build', in: 'Absent', to: 'Ready' },
  scrap: { on: 'scrap', in: 'Ready', to: 'Gone' },
  moor: { on: 'moor', in: 'Ready' },
} as const;

export const Port = defineEntity('Port', {
  key: z.string(),
  properties: z.object({ depth: z.number().optional() }),
  ...{ states, events, actions },
});

export const Ship = defineEntity('Ship', {
  key: z.string(),
  properties: z.object({
    tons: z.int().default(1),
    flag: z.enum(['white', 'red']).optional(),
    launched: z.iso.datetime().optional(),
    crew: z.object({ captain: z.string() }).optional(),
    cargo: z.array(z.string()).default([]),
  }),
  links: { home: link(Port), visits: links(Port) },
  subordinates: { boats: z.object({ seats: z.int(), oars: z.number().optional() }), flags: z.enum(['white', 'red']) },
  fixed: ['tons'],
  dimensions: { flag: 'properties.flag' },
  ...{ states, events, actions },
});

export const SHIPS = '/api/fleet/v2/Ship';
export const PORTS = '/api/fleet/v2/Port';
export const DIMENSIONS = ['flag'];

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> & { readonly value?: readonly Readonly<Record<string, unknown>>[] };
  readonly text?: string;
}

/** Asks a service that has nothing but a store. */
export function fleet(store: Pick<Store, 'reader' | 'writer'>) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const entities = [Port, Ship];
  const reeve = new ReeveClient({ client, entities });
  const message = 'No worker is up.';
  const rejection = { code: 'no_answer', message, event: '', entity: '', state: '', validNow: [] };
  vi.spyOn(reeve.operations, 'read').mockRejectedValue(new Rejected(rejection));
  vi.spyOn(reeve, 'read').mockRejectedValue(new Rejected(rejection));
  const application = createApplication({
    reeve,
    modules: [{ name: 'fleet', version: 2, entities }],
    log: pino({ level: 'silent' }),
    store: serviceStore(store),
    settings: { pageRows: [10, 50], expandedRows: 5 },
  });
  return async (
    path: string,
    options: Readonly<Record<string, string>> = {},
    headers = {},
    method = 'GET',
  ): Promise<Answered> => {
    const url = new URL(path, 'http://127.0.0.1');
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    const response = await application.fetch(new Request(url, { headers, method }));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const body = (isJson ? JSON.parse(text) : {}) as Answered['body'];
    return { status: response.status, headers: response.headers, body, text };
  };
}
