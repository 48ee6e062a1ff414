import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../src/service/server.js';
import { ask, BOXES, startTestManagement, type TestManagement } from '../support/management.js';
import { until } from '../support/until.js';

let management: TestManagement;
beforeAll(async () => {
  management = await startTestManagement();
});
afterAll(async () => management.close());

interface Received {
  readonly event: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Follows until it is closed, or the stream ends. */
async function follow({ url }: RunningService, path: string, lastEventId?: string) {
  const closing = new AbortController();
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await fetch(`${url}${path}`, { headers, signal: closing.signal });
  const received: Received[] = [];
  const comments: string[] = [];
  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const fields = new Map(
          part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if (fields.has('')) comments.push(part);
        if (!fields.has('data')) continue;
        const data = JSON.parse(fields.get('data')!) as Received['data'];
        received.push({ event: fields.get('event')!, id: fields.get('id')!, data });
      }
    }
  })().catch(() => undefined);
  return { response, received, comments, ended, close: () => closing.abort() };
}

const create = async (key: string) => {
  const json = { key, event: 'place', parameters: { label: 'first' } };
  const { headers } = await ask(management.api, 'POST', BOXES, { json });
  return headers.get('operation-location')!.replace('?', '/change-stream?');
};
const raise = (key: string, event: string, json?: unknown) =>
  ask(management.api, 'POST', `${BOXES}/${key}/${event}`, { json, headers: { prefer: 'wait=20' } });

describe('server-sent events (S6.1)', () => {
  it('follow an operation to its end, and end with it', async () => {
    const gate = management.shelf.hold('followed');
    const stream = await follow(management.api, await create('followed'));
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    await until(async () => expect(stream.received.at(-1)?.data).toMatchObject({ name: 'place Box/followed' }));
    expect(stream.received.every(({ event, data }) => event === 'change' && data['outcome'] === 'running')).toBe(true);
    gate.open();
    await stream.ended;
    expect(stream.received.at(-1)).toMatchObject({ event: 'end', data: { outcome: 'success' } });
  });

  it('are over for one who has seen the end', async () => {
    const path = await create('seen');
    const stream = await follow(management.api, path);
    await stream.ended;
    const again = await follow(management.api, path, stream.received.at(-1)!.id);
    expect(again.response.status).toBe(204);
  });

  it('follow an entity, and go on after Last-Event-ID on another instance', async () => {
    const other = await management.another();
    await (
      await follow(management.api, await create('moving'))
    ).ended;
    const path = `${BOXES}/moving/change-stream`;
    const first = await follow(management.api, path);
    await until(async () => expect(first.received.at(-1)?.data).toMatchObject({ state: 'Placed', settled: true }));
    first.close();
    const seen = first.received.at(-1)!;

    const second = await follow(other, path, seen.id);
    await raise('moving', 'relabel', { label: 'second' });
    await until(async () => expect(second.received.length).toBeGreaterThan(0));
    expect(second.received[0]!.data).toMatchObject({ properties: { label: 'second' } });
    expect(second.received.map(({ id }) => id)).not.toContain(seen.id);
    await raise('moving', 'remove');
    await second.ended;
    expect(second.received.at(-1)).toMatchObject({ event: 'end', data: { state: 'Deleted', gone: true } });
  });

  it('say that they are there while nothing happens', async () => {
    const patient = await management.another({ settings: { heartbeatMs: 100, lookMs: [20, 20] } });
    await (
      await follow(management.api, await create('quiet'))
    ).ended;
    const stream = await follow(patient, `${BOXES}/quiet/change-stream`);
    await until(async () => expect(stream.comments.length).toBeGreaterThan(2));
    stream.close();
  });

  it('are limited in number, and one that is closed makes room', async () => {
    const small = await management.another({ settings: { streams: 1, lookMs: [20, 20] } });
    await (
      await follow(management.api, await create('popular'))
    ).ended;
    const path = `${BOXES}/popular/change-stream`;
    const first = await follow(small, path);
    expect(await ask(small, 'GET', path)).toMatchObject({ status: 429, body: { code: 'too_many_streams' } });
    first.close();
    await until(async () => {
      const next = await follow(small, path);
      next.close();
      expect(next.response.status).toBe(200);
    });
  });

  it('are limited for each caller too, who leaves room for others (S6.5)', async () => {
    const settings = { streamsOfCaller: 1, lookMs: [20, 20] as const };
    let subject = 'alice';
    const authenticator = {
      authenticate: async () => ({ actor: { subject, tenant: '*', roles: ['operator'] }, until: Infinity }),
    };
    const shared = await management.another({ settings, authenticator });
    await (
      await follow(management.api, await create('wanted'))
    ).ended;
    const path = `${BOXES}/wanted/change-stream`;
    // Both at once: neither has seen anything yet.
    const both = await Promise.all([follow(shared, path), follow(shared, path)]);
    expect(both.map(({ response }) => response.status).sort()).toEqual([200, 429]);
    const refused = both.find(({ response }) => response.status === 429)!;
    expect(refused.response.headers.get('retry-after')).toBe('5');
    subject = 'bob';
    const other = await follow(shared, path);
    expect(other.response.status).toBe(200);
    for (const { close } of [...both, other]) close();
  });

  it('cannot all be held by a few callers, as many as each may have (S6.5)', async () => {
    const settings = { streams: 8, streamsOfCaller: 8, lookMs: [20, 20] as const };
    let subject = '';
    const authenticator = {
      authenticate: async () => ({ actor: { subject, tenant: '*', roles: ['operator'] }, until: Infinity }),
    };
    const shared = await management.another({ settings, authenticator });
    await (
      await follow(management.api, await create('shared'))
    ).ended;
    const open: Awaited<ReturnType<typeof follow>>[] = [];
    const held: number[] = [];
    for (subject of ['alice', 'bob', 'carol', 'dave']) {
      const before = open.length;
      for (;;) {
        const next = await follow(shared, `${BOXES}/shared/change-stream`);
        if (next.response.status !== 200) break;
        open.push(next);
      }
      held.push(open.length - before);
    }
    expect(held).toEqual([4, 2, 1, 1]);
    for (const { close } of open) close();
  });

  it('end when the service is stopped, so that it can stop', async () => {
    const stopped = await management.another();
    await (
      await follow(management.api, await create('left'))
    ).ended;
    const stream = await follow(stopped, `${BOXES}/left/change-stream`);
    await stopped.stop();
    await stream.ended;
    expect(stream.received.every(({ event }) => event === 'change')).toBe(true);
  });
});

describe('who follows (S6.5)', () => {
  const known = { subject: 'alice', tenant: '*', roles: ['operator'] };

  it('has to show again who it is when what it has shown is over', async () => {
    const gate = management.shelf.hold('expiring');
    const operation = await create('expiring');
    const authenticator = { authenticate: async () => ({ actor: known, until: Date.now() + 1_000 }) };
    const stream = await follow(await management.another({ authenticator }), operation);
    expect(stream.response.status).toBe(200);
    await stream.ended;
    expect(stream.received.at(-1)?.event).toBe('change');
    gate.open();
  });

  it("is shown nothing more once what it follows is another tenant's", async () => {
    await ask(management.api, 'POST', BOXES, { json: { key: 'lost', event: 'place', parameters: { label: 'a' } } });
    let tenant = '*';
    // The actor of a stream is asked for at each look.
    const actor = {
      ...known,
      get tenant() {
        return tenant;
      },
    };
    const authenticator = { authenticate: async () => ({ actor, until: Infinity }) };
    const stream = await follow(await management.another({ authenticator }), `${BOXES}/lost/change-stream`);
    await until(async () => expect(stream.received.at(-1)?.data['state']).toBe('Placed'));
    tenant = 'rival';
    await raise('lost', 'relabel', { label: 'secret' });
    await stream.ended;
    expect(JSON.stringify(stream.received)).not.toContain('secret');
  });
});
