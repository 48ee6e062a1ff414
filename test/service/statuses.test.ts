import { Client } from '@temporalio/client';
import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { kindsOf, plant } from '../../src/components/index.js';
import type { OperationResult } from '../../src/operations/status.js';
import { Rejected } from '../../src/protocol/errors.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import { createApplication, type Application } from '../../src/service/application.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import { ProblemError } from '../../src/service/problem.js';
import type { ServiceStore } from '../../src/service/service-store.js';
import type { OperationSummary } from '../../src/service/summary/summary-schema.js';
import type { ServiceSettings } from '../../src/service/settings.js';
import type { EntityVersion, EventOrigin, SentRequest } from '../../src/store/index.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Box } from '../entities/box.js';
import { Lamp } from '../entities/lamp.js';
import { Puppet } from '../support/entities.js';

/*
 * Each status that the document gives for a call is one that the call answers with: all of them are brought about, one by
 * one, with a control plane and a store that say what each case needs.
 */

/** The differences from a request that is right, by somebody who may, to a service whose parts all answer. */
interface Case {
  readonly authenticator?: Authenticator;
  /** The code with which an event is rejected, and nothing found. */
  readonly code?: string;
  /** The entity has been deleted. */
  readonly gone?: boolean;
  /** The same request was accepted so long ago that nobody knows what came of it. */
  readonly forgotten?: boolean;
  /** How what is asked has ended already; without it, it goes on. */
  readonly outcome?: Partial<EngagementOutcome>;
  /** It was deployed, or has ended, before. */
  readonly before?: boolean;
  readonly list?: ServiceStore['list'];
  /** The requests that were sent with the id as their key. */
  readonly sent?: readonly SentRequest[];
  readonly summary?: ServiceStore['summary'];
  /** The error that the store throws where it has to count. */
  readonly uncounted?: Error;
  readonly audited?: () => void;
  readonly settings?: Partial<ServiceSettings>;
  readonly away?: boolean;
  /** Of the request. */
  readonly place?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly query?: string;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: unknown;
}

const BOXES = '/api/test/v1/Box';
const ANSWER = '/api/callbacks/{token}';
const CHANGES = '/api/changes';
const WATCH = '/api/watch';
const BODIES: Readonly<Record<string, unknown>> = {
  [BOXES]: { key: 'a', event: 'place', parameters: { label: 'x' } },
  '/api/test/v1/Box/{key}/place': { label: 'x' },
  '/api/test/v1/Box/{key}/relabel': { label: 'x' },
  '/api/test/v1/Box/{key}/mark-lost': { successor: 'Box/b' },
  '/api/test/v1/Box/{key}/extend-callback': { callback: 'r', within: '1d' },
  '/api/test/v1/Box/{key}/revoke-callback': { callback: 'r' },
  '/api/raise': { events: [{ entity: 'Box/a', event: 'look' }] },
  '/api/deployments': { name: 'a', component: 'Lamp' },
  '/api/deployments/{name}/events': { event: 1 },
  '/api/deployments/{name}/attributes': { name: 'colour', value: 'red' },
  [ANSWER]: { output: 1 },
};
const keys = new CallbackKeys(Buffer.alloc(32).toString('base64'));
const question = { id: 'r', until: Number.MAX_SAFE_INTEGER, of: { type: 'Box', key: 'a', life: 'life-1' } };
const PLACE: Readonly<Record<string, string>> = {
  ...{ type: 'Box', key: 'a', id: 'op-1', name: 'a' },
  token: keys.tokenOf(question),
};
const operator: Authenticator = as(['operator']);
const TOO_MUCH = new ProblemError('query_too_large', 'Too much.');
const throwing = (thrown: Error) => () => {
  throw thrown;
};
const nothing = async () => ({ items: [] });
const nobody: Authenticator = { authenticate: async () => undefined };
const withoutRoles = as([]);
const away: Authenticator = { authenticate: throwing(new ProblemError('authentication_unavailable', 'Not now.')) };
const failing = throwing(new Error('a defect'));
const tooMuch = throwing(TOO_MUCH);

/** How each status comes about. A call that is not concerned by what is different is still to answer with it. */
const CASES: Readonly<Record<string, (call: Call) => Case | Promise<Case>>> = {
  200: ({ path }) => ({
    outcome: path === BOXES ? { health: 'error' } : {},
    before: true,
    // A stream ends with what it follows.
    gone: path.endsWith('/change-stream'),
    // One that follows many things ends with the credentials.
    ...(path === WATCH && { query: '?of=Box/a', authenticator: as(['operator'], Date.now() + 200) }),
    ...(path === '/api/attention' && { list: nothing }),
  }),
  201: () => ({ outcome: {} }),
  202: () => ({}),
  204: async (call) => {
    // It leads to none, from a row that is there.
    let asked = 0;
    if (!call.path.endsWith('/change-stream')) return { list: async () => ({ items: asked++ === 0 ? [{}] : [] }) };
    const [, seen = ''] = /^id: (.*)$/m.exec(await (await ask(call, { gone: true })).text()) ?? [];
    return { gone: true, headers: { 'last-event-id': seen } };
  },
  400: ({ path }) => ({
    ...(path !== ANSWER && { place: '%01' }),
    query: path.endsWith('/$metadata') ? '?$format=yaml' : path === CHANGES ? '?limit=x' : '?$top=x',
    ...((!path.includes('{') || path === ANSWER) && { body: '[]' }),
  }),
  401: () => ({ authenticator: nobody }),
  403: () => ({ authenticator: withoutRoles }),
  404: ({ path }) => ({
    ...(path === BOXES ? { forgotten: true } : { code: 'absent', list: nothing }),
    ...(path === ANSWER && { place: 'made-up' }),
  }),
  406: () => ({ headers: { accept: 'text/csv' } }),
  // The operation is not found by its id, and its key was sent to two entities.
  409: ({ method }) => (method === 'GET' ? { code: 'absent', list: nothing, sent: TWO } : { code: 'not_valid' }),
  410: ({ path }) => ({ code: 'gone', gone: true, ...(path === CHANGES && { query: '?after=other-1' }) }),
  412: () => ({ code: 'version_conflict', headers: { 'if-match': '"life-1.1"' } }),
  413: () => ({ settings: { bodyBytes: 1 }, body: '{ }' }),
  415: () => ({ headers: { 'content-type': 'text/plain' }, body: 'x' }),
  422: () => ({ code: 'request_conflict', headers: { 'idempotency-key': 'k' } }),
  429: () => ({ settings: { rates: { caller: [1, 0], nobody: [1, 0] } } }),
  500: () => ({ audited: failing }),
  503: ({ path }) => ({
    // Nobody's credentials are asked for where the address is the proof.
    ...(path === ANSWER && { code: 'no_answer' }),
    authenticator: away,
    away: true,
  }),
  504: ({ path }) => ({
    ...{ list: tooMuch, summary: tooMuch, uncounted: TOO_MUCH },
    query: path === '/api/operations/{id}' || path === `${BOXES}/{key}` ? '?$expand=events' : '',
  }),
};

const VERSION: EntityVersion = {
  row: {
    ...{ type: 'Box', key: 'a', life: 'life-1', version: 1, tenant: null, state: 'Placed', health: 'normal' },
    ...{ operation: 'op-1', event: 'place', action_name: null, outcome: 'success', time: new Date(0) },
  },
  held: { properties: {}, links: {}, subordinates: {}, leftOut: [] },
};
const ORIGIN: EventOrigin = {
  ...{ type: 'Box', key: 'a', life: 'life-1', id: 'op-1', operation: 'op-1', event: 'place', event_type: 'raised' },
  ...{ start_time: new Date(0), end_time: null, end_state: null, end_version: null, end_details: null },
  ...{ result: null, tenant: null, inline: [] },
};
const TWO: readonly SentRequest[] = ['a', 'b'].map((key) => ({
  id: `op-1~abcdefghijk${key}`,
  on: { type: 'Box', key },
}));
const SETTLED: EngagementOutcome = { state: 'Placed', version: 2, health: 'normal', waiting: false };
const RESULT: OperationResult = {
  ...{ id: 'op-1', name: 'place Box/a', outcome: 'success', startedAt: 0, endedAt: 1, dimensions: {} },
  root: { type: 'Box', key: 'a', event: 'place', engagement: 'e' },
  ...{ participants: [], errors: [] },
};

const TREE = plant(kindsOf([Lamp]), { run: 'deployment/a', at: 0, description: Lamp() });
const box = new Puppet(Box, 'a');
box.raise('place', { label: 'x' });
box.end('Placing');

const applications = new Map<string, Application>();
const numbers = new Map<object, number>();
const calls = await documentedCalls();
/** The status that the server answers before any route is asked: `bad-input.test.ts` has it. */
const UNREAD = '431';

describe.each(calls)('$method $path (S6.1)', (call) => {
  it.each(Object.keys(call.responses).filter((status) => status !== UNREAD))(
    'answers %s as documented',
    async (status) => {
      const provoke = CASES[status];
      expect(provoke, `nothing here brings about ${status}`).toBeDefined();
      const response = await ask(call, await provoke!(call));
      const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
      expect(response.status, await response.text()).toBe(Number(status));
      expect(type).toBe(Object.keys(call.responses[status]!.content ?? { '': {} })[0]);
    },
  );
});

async function documentedCalls(): Promise<readonly Call[]> {
  const answer = await applicationOf({}).fetch(new Request('http://127.0.0.1/openapi.json'));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Omit<Call, 'method' | 'path'>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path })),
  );
}

async function ask({ method, path, requestBody }: Call, changed: Case): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => changed.place ?? PLACE[name] ?? '1');
  const body = changed.body ?? (requestBody ? JSON.stringify(BODIES[path] ?? {}) : undefined);
  const headers = { ...(requestBody ? { 'content-type': 'application/json' } : {}), ...changed.headers };
  const sent = { method, headers, ...(method === 'POST' && body !== undefined && { body }) };
  return applicationOf(changed).fetch(new Request(`http://127.0.0.1${filled}${changed.query ?? ''}`, sent));
}

/** The applications of cases that differ in the request alone share one: to make it takes longer than to ask it. */
function applicationOf({
  place: _place,
  headers: _headers,
  body: _body,
  query: _query,
  ...changed
}: Case): Application {
  const key = JSON.stringify(changed, (_, value: unknown) => (isNumbered(value) ? numberOf(value) : value));
  const made = applications.get(key) ?? application(changed);
  applications.set(key, made);
  return made;
}

/** Keeps apart what JSON would make equal. */
function isNumbered(value: unknown): value is object {
  return typeof value === 'function' || value instanceof Error;
}

function numberOf(value: object): number {
  if (!numbers.has(value)) numbers.set(value, numbers.size);
  return numbers.get(value)!;
}

function application(changed: Case): Application {
  const {
    code,
    gone = false,
    forgotten = false,
    outcome,
    before = false,
    list,
    sent = [],
    summary,
    uncounted,
    audited = () => undefined,
    settings = {},
    away = false,
  } = changed;
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const reeve = new ReeveClient({ client, entities: [Box], components: [Lamp] });
  const answer =
    <T>(value: T) =>
    async (): Promise<T> => {
      if (code === undefined) return value;
      throw rejected(code);
    };
  const taken: AcceptedEvent = {
    ...{ entity: { type: 'Box', key: 'a' }, event: 'place', requestId: 'op-1' },
    answer: {
      status: 'accepted',
      operation: 'op-1',
      ...(forgotten && { repeated: true }),
      ...(outcome && { outcome: { ...SETTLED, ...outcome } }),
    },
  };
  const explanation = { at: 0, entities: [], starved: [], stuck: [] };
  const counted = async <T>(value: T): Promise<T> => {
    if (uncounted) throw uncounted;
    return value;
  };
  vi.spyOn(reeve.live, 'entities').mockResolvedValue({ rows: [] });
  vi.spyOn(reeve.live, 'operations').mockResolvedValue({ rows: [] });
  for (const raise of [
    'createAny',
    'construct',
    'raiseAny',
    'retry',
    'markLost',
    'extendCallback',
    'revokeCallback',
  ] as const) {
    vi.spyOn(reeve, raise).mockImplementation(answer(taken));
  }
  const reading = { snapshot: { ...box.snapshot, ...(gone && { state: 'Deleted' }) }, gone };
  vi.spyOn(reeve, 'read').mockImplementation(gone ? async () => reading : answer(reading));
  vi.spyOn(reeve, 'values').mockImplementation(answer({ history: 'complete', calls: [] } as const));
  vi.spyOn(reeve, 'answer').mockImplementation(answer(undefined));
  vi.spyOn(reeve, 'revision').mockImplementation(answer('1'));
  vi.spyOn(reeve, 'explain').mockImplementation(answer(explanation));
  // An operation that has ended is there, and can no longer be cancelled.
  const ended = { state: 'ended' as const, result: RESULT };
  vi.spyOn(reeve.operations, 'read').mockImplementation(async () => {
    if (forgotten || code === 'absent') throw rejected('absent');
    return ended;
  });
  vi.spyOn(reeve.operations, 'cancel').mockImplementation(answer(undefined));
  vi.spyOn(reeve.operations, 'explain').mockImplementation(answer(explanation));
  vi.spyOn(reeve.deployments, 'find').mockImplementation(async (name) => {
    if (code === 'absent') throw rejected(code);
    return { name, origin: { component: 'Lamp' }, life: 'life-1', status: gone ? 'ended' : 'running' };
  });
  vi.spyOn(reeve.deployments, 'tree').mockImplementation(async () => TREE);
  vi.spyOn(reeve.deployments, 'deploy').mockImplementation(answer({ repeated: before }));
  const end = before ? { type: 'normal', description: 'it is over', component: '' } : undefined;
  vi.spyOn(reeve.deployments, 'terminate').mockImplementation(answer(end));
  for (const tell of ['send', 'set', 'ping'] as const) {
    vi.spyOn(reeve.deployments, tell).mockImplementation(answer(undefined));
  }
  return createApplication({
    reeve,
    modules: [{ name: 'test', version: 1, entities: [Box] }],
    log: pino({ level: 'silent' }),
    authenticator: changed.authenticator ?? operator,
    audit: { record: audited },
    callbacks: { url: 'https://callbacks.example/api', keys },
    // One application is asked as often as it can.
    settings: { rates: { caller: [1, 100_000], nobody: [1, 100_000] }, ...settings },
    store: {
      entity: async () => undefined,
      entities: () => Promise.resolve([]),
      entityVersion: () => counted(code === 'absent' ? undefined : VERSION),
      eventOrigin: () => counted(code === 'absent' ? undefined : ORIGIN),
      operation: async () => undefined,
      deployment: async () => undefined,
      distributed: async () => undefined,
      listDistributed: async () => [],
      openDistributed: async () => [],
      operationPlace: async () => undefined,
      sentRequests: async () => sent,
      noteFirstResponse: async () => undefined,
      list: list ?? (async () => ({ items: [{}] })),
      feed: {
        state: async () => ({ store: 'this', trimmed: 0, position: 0 }),
        changes: async () => ({ changes: [], upTo: 0 }),
        note: async () => undefined,
        listeners: async () => [],
      },
      summary: summary ?? (async () => ({ groups: [] }) as unknown as OperationSummary),
      countEntities: () => counted([]),
      countTransitions: () => counted({ from: '', until: '', transitions: [], states: [], rejections: [] }),
    },
    dependencies: [{ name: 'Temporal', check: async () => (away ? Promise.reject(new Error('away')) : undefined) }],
  });
}

function as(roles: readonly string[], until = Infinity): Authenticator {
  const credentials = { actor: { subject: 'somebody', tenant: '*', roles }, until };
  return { authenticate: async () => credentials };
}

function rejected(code: string): Rejected {
  return new Rejected({ code, message: 'It is so.', entity: 'Box/a', event: '' });
}
