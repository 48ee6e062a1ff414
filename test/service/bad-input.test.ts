import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, BOXES, ROOMS, startTestManagement, type Asked, type TestManagement } from '../support/management.js';

let management: TestManagement;
beforeAll(async () => {
  management = await startTestManagement();
  const json = { key: 'sound', event: 'place', parameters: { label: 'first' } };
  await ask(management.api, 'POST', BOXES, { json, headers: { prefer: 'wait=20' } });
});
afterAll(async () => management.close());

const send = (method: string, path: string, asked?: Asked) => ask(management.api, method, path, asked);
const JSON_TYPE = { 'content-type': 'application/json' };
const RELABEL = `${BOXES}/sound/relabel`;

type BadInput = readonly [
  what: string,
  method: string,
  path: string,
  asked: Asked,
  status: number,
  code: string,
  place?: string,
];

const furnish = (key: string) => ({ key, event: 'furnish', parameters: { boxes: [] } });
const NESTED = `{"key":"n","event":"place","parameters":{"label":"x","more":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;

/** The requests that are sent, and the status, the code and the place that the problem names. */
const BAD: readonly BadInput[] = [
  ['no JSON', 'POST', RELABEL, { text: '{"label":', headers: JSON_TYPE }, 400, 'malformed'],
  ['an empty body', 'POST', RELABEL, { text: '', headers: JSON_TYPE }, 400, 'invalid_parameters', 'label'],
  ['no body where one is needed', 'POST', RELABEL, {}, 400, 'invalid_parameters', 'label'],
  [
    'another media type',
    'POST',
    RELABEL,
    { text: 'a', headers: { 'content-type': 'text/plain' } },
    415,
    'unsupported_media_type',
  ],
  ['a list', 'POST', RELABEL, { json: [] }, 400, 'invalid_parameters', ''],
  ['a parameter of another type', 'POST', RELABEL, { json: { label: 7 } }, 400, 'invalid_parameters', 'label'],
  ['a missing parameter', 'POST', RELABEL, { json: {} }, 400, 'invalid_parameters', 'label'],
  ['parameters for an event without', 'POST', `${BOXES}/sound/look`, { json: { a: 1 } }, 400, 'invalid_parameters', ''],
  ['a body that is too large', 'POST', RELABEL, { json: { label: 'x'.repeat(300_000) } }, 413, 'too_large'],
  ['an unknown event', 'POST', `${BOXES}/sound/paint`, { json: {} }, 404, 'unknown_event'],
  ['an unknown type', 'GET', '/api/test/v1/Bag/one', {}, 404, 'not_found'],
  ['an unknown entity', 'GET', `${BOXES}/unknown`, {}, 404, 'absent'],
  ['an event on an unknown entity', 'POST', `${BOXES}/unknown/look`, {}, 404, 'absent'],
  ['what is allowed on an unknown entity', 'GET', `${BOXES}/unknown/allowed-events`, {}, 404, 'absent'],
  ['changes of an unknown entity', 'GET', `${BOXES}/unknown/change-stream`, {}, 404, 'absent'],
  ['another method', 'DELETE', `${BOXES}/sound`, {}, 405, 'method_not_allowed'],
  ['a key with control characters', 'GET', `${BOXES}/%00`, {}, 400, 'invalid_parameters', 'key'],
  ['a key that is too long', 'GET', `${BOXES}/${'k'.repeat(201)}`, {}, 400, 'invalid_parameters', 'key'],
  [
    'no ETag',
    'POST',
    RELABEL,
    { json: { label: 'x' }, headers: { 'if-match': 'yes' } },
    400,
    'invalid_parameters',
    'if-match',
  ],
  [
    'an old ETag',
    'POST',
    RELABEL,
    { json: { label: 'x' }, headers: { 'if-match': '"life.1"' } },
    412,
    'version_conflict',
  ],
  [
    'a key with spaces',
    'POST',
    RELABEL,
    { json: { label: 'x' }, headers: { 'idempotency-key': 'a b' } },
    400,
    'invalid_parameters',
    'idempotency-key',
  ],
  ['a creation without a key', 'POST', BOXES, { json: { event: 'place' } }, 400, 'invalid_parameters', 'key'],
  [
    'a creation with another member',
    'POST',
    ROOMS,
    { json: { key: 'r', colour: 'red' } },
    400,
    'invalid_parameters',
    '',
  ],
  [
    'a creation by an event that creates nothing',
    'POST',
    BOXES,
    { json: { key: 'n', event: 'look' } },
    400,
    'invalid_parameters',
    'event',
  ],
  [
    'a creation with wrong parameters',
    'POST',
    BOXES,
    { json: { key: 'n', event: 'place', parameters: { label: 1 } } },
    400,
    'invalid_parameters',
    'parameters.label',
  ],
  [
    'a creation with null for parameters',
    'POST',
    BOXES,
    { json: { key: 'n', event: 'place', parameters: null } },
    400,
    'invalid_parameters',
    'parameters',
  ],
  [
    'a creation with a wrong key',
    'POST',
    BOXES,
    { json: { key: 'No Key', event: 'place', parameters: { label: 'a' } } },
    400,
    'invalid_key',
    'key',
  ],
  ['a creation with a dot for a key', 'POST', ROOMS, { json: furnish('.') }, 400, 'invalid_key', 'key'],
  ['a creation with two dots for a key', 'POST', ROOMS, { json: furnish('..') }, 400, 'invalid_key', 'key'],
  [
    'a creation with half a character in its key',
    'POST',
    ROOMS,
    { json: furnish('a\ud800') },
    400,
    'invalid_key',
    'key',
  ],
  ['a key that is no UTF-8', 'GET', `${ROOMS}/a%ED%A0%80`, {}, 400, 'malformed_path'],
  ['an event on a key that is no UTF-8', 'POST', `${ROOMS}/a%ED%A0%80/empty`, {}, 400, 'malformed_path'],
  ['parameters that are nested 5,000 deep', 'POST', BOXES, { text: NESTED, headers: JSON_TYPE }, 400, 'too_deep'],
  [
    'a number that would be rounded',
    'POST',
    RELABEL,
    { text: '{"label":9007199254740993}', headers: JSON_TYPE },
    400,
    'inexact_number',
  ],
  [
    'a number that is too large',
    'POST',
    RELABEL,
    { text: '{"label":"x","n":[1e400]}', headers: JSON_TYPE },
    400,
    'inexact_number',
  ],
  ['an unknown operation', 'GET', '/api/operations/unknown', {}, 404, 'absent'],
  ['an operation on no entity', 'GET', '/api/operations/unknown?on=box', {}, 400, 'invalid_parameters', 'on'],
  ['an operation on an unknown entity', 'GET', '/api/operations/unknown?on=Box%2Funknown', {}, 404, 'absent'],
  ['a cancel of an unknown operation', 'POST', '/api/operations/unknown/cancel', {}, 404, 'absent'],
  ['changes of an unknown operation', 'GET', '/api/operations/unknown/change-stream', {}, 404, 'absent'],
  [
    'a lost successor without a type',
    'POST',
    `${BOXES}/sound/mark-lost`,
    { json: { successor: 'b' } },
    400,
    'invalid_parameters',
    'successor',
  ],
  [
    'a lost successor of that name',
    'POST',
    `${BOXES}/sound/mark-lost`,
    { json: { successor: 'Box/b' } },
    409,
    'no_such_successor',
  ],
  [
    'more time for no span of time',
    'POST',
    `${BOXES}/sound/extend-callback`,
    { json: { callback: 'x', within: 'long' } },
    400,
    'invalid_parameters',
    'within',
  ],
  [
    'the end of a callback for which nobody waits',
    'POST',
    `${BOXES}/sound/revoke-callback`,
    { json: { callback: 'x' } },
    410,
    'callback_closed',
  ],
  ['a retry of nothing', 'POST', `${BOXES}/sound/retry-action`, {}, 409, 'not_exhausted'],
  ['nowhere', 'GET', '/nowhere', {}, 404, 'not_found'],
];

describe('bad input gets a problem with its place and reason, and changes nothing (S6.1)', () => {
  it.each(BAD.map((bad) => ({ what: bad[0], bad })))('$what', async ({ bad }) => {
    const [, method, path, asked, status, code, place] = bad;
    const before = await send('GET', `${BOXES}/sound`);
    const answered = await send(method, path, asked);
    expect(answered).toMatchObject({ status, body: { status, code, type: `/guide/reference/errors/${code}` } });
    expect(answered.headers.get('content-type')).toBe('application/problem+json');
    expect(answered.body['detail']).toEqual(expect.stringMatching(/\w+/));
    const places = (answered.body['issues'] as { path: string }[] | undefined)?.map((issue) => issue.path);
    expect(places).toEqual(place === undefined ? undefined : [place]);
    expect((await send('GET', `${BOXES}/sound`)).headers.get('etag')).toBe(before.headers.get('etag'));
  });

  it.each([
    [
      'a query that is too large',
      `GET /api/test/v1/Box?$filter=${'x'.repeat(20_000)} HTTP/1.1`,
      431,
      'headers_too_large',
    ],
    ['no HTTP', 'EHLO example.com', 400, 'malformed'],
  ])('%s', async (_, line, status, code) => {
    const { hostname, port } = new URL(management.api.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${line}\r\nHost: ${hostname}\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('Content-Type: application/problem+json');
    const detail = expect.stringMatching(/\w+/) as string;
    expect(JSON.parse(body)).toMatchObject({ status, code, detail, error: { code, message: detail } });
  });

  it.each([
    [
      'a body',
      'POST',
      RELABEL,
      Buffer.from([...Buffer.from('{"label":"caf'), 0xe9, ...Buffer.from('"}')]),
      'malformed',
    ],
    ['a creation', 'POST', BOXES, Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 'malformed'],
    ['a query', 'GET', `${BOXES}?$filter=key%20eq%20'%E9'`, undefined, 'malformed_query'],
    ['a path', 'GET', `${BOXES}/%E9`, undefined, 'malformed_path'],
  ] as const)('refuses %s that is not UTF-8 (S6.1)', async (_, method, path, body, code) => {
    const answer = await fetch(management.api.url + path, { method, body: body ?? null, headers: JSON_TYPE });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code });
  });

  it.each([
    ['GET', `${BOXES}/sound`, 200],
    ['GET', `${BOXES}/none`, 404],
    ['GET', '/api/me', 200],
    ['POST', RELABEL, 400],
    ['GET', '/nothing/here', 404],
    ['GET', '/health/live', 200],
  ] as const)('lets no cache keep an answer: %s %s (S6.5)', async (method, path, status) => {
    const answer = await fetch(management.api.url + path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('takes an empty body for no parameters, whatever its media type', async () => {
    const looked = await send('POST', `${BOXES}/sound/look`, {
      text: '',
      headers: { ...JSON_TYPE, prefer: 'wait=20' },
    });
    expect(looked).toMatchObject({ status: 200, body: { outcome: 'success' } });
  });

  it('creates nothing', async () => {
    for (const key of ['n', 'unknown']) expect((await send('GET', `${BOXES}/${key}`)).status).toBe(404);
  });
});

describe('a page of another site gets nothing, whatever it can make a browser send (S6.5)', () => {
  const here = '127.0.0.1';
  const form = ['Content-Type: text/plain', 'Content-Length: 7', '', 'a=b&c=d'];
  const EVIL = 'evil.example';

  it.each([
    ['a name of its own for this machine', 'GET', `${BOXES}/sound`, `${EVIL}:PORT`, [], 401],
    ['a form, which needs no leave', 'POST', RELABEL, `${here}:PORT`, [`Origin: https://${EVIL}`, ...form], 401],
    ['a form of a page without a name', 'POST', RELABEL, `${here}:PORT`, ['Origin: null', ...form], 401],
    ['a form without a word of where it is from', 'POST', RELABEL, `${here}:PORT`, form, 415],
    ['the same for an event without parameters', 'POST', `${BOXES}/sound/look`, `${here}:PORT`, form, 415],
    ['the same to create something', 'POST', BOXES, `${here}:PORT`, form, 415],
    ['a target with another host', 'GET', `http://${EVIL}${BOXES}/sound`, `${here}:PORT`, [], 401],
    ['a target with this host, for another one', 'GET', `http://${here}:PORT${BOXES}/sound`, `${EVIL}:PORT`, [], 401],
  ] as const)('%s', async (_, method, target, host, more, status) => {
    const { hostname, port } = new URL(management.api.url);
    const before = await send('GET', `${BOXES}/sound`);
    const socket = connect(Number(port), hostname);
    const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...more];
    socket.write(`${lines.join('\r\n')}${more.length > 1 ? '' : '\r\n\r\n'}`.replaceAll('PORT', port));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(body).not.toContain('first');
    expect((await send('GET', `${BOXES}/sound`)).headers.get('etag')).toBe(before.headers.get('etag'));
  });
});
