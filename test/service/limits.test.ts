import { Client } from '@temporalio/client';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import type { ServiceSettings } from '../../src/service/settings.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { ENTITIES, MODULE } from '../support/management.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that knows whoever names himself, with no Temporal and no store: it answers where it need not ask them. */
function service(settings: Partial<ServiceSettings> = {}) {
  const audited: AuditEntry[] = [];
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const application = createApplication({
    ...{ reeve: new ReeveClient({ client, entities: ENTITIES }), modules: [MODULE], log: pino({ level: 'silent' }) },
    ...{ settings, audit: { record: (entry) => void audited.push(entry) } },
    authenticator: {
      authenticate: async ({ headers }) => {
        const subject = headers.get('x-who');
        return subject ? { actor: { subject, tenant: '*', roles: [] }, until: Infinity } : undefined;
      },
    },
  });
  const ask = async (from: { readonly who?: string; readonly address?: string }, path = '/api/test/v1/Box/one') => {
    const headers = new Headers(from.who === undefined ? [] : [['x-who', from.who]]);
    const request = new Request(`http://127.0.0.1${path}`, { headers });
    const connection = { incoming: { socket: { remoteAddress: from.address } } };
    const { status, headers: told } = await application.fetch(request, connection);
    return { status, retryAfter: told.get('retry-after') };
  };
  return { ask, audited, stop: () => application.stop() };
}

const REFUSED = { status: 401, retryAfter: null };
const NOT_ALLOWED = { status: 403, retryAfter: null };

describe('limits (S6.5)', () => {
  it('hold for each caller by himself: 429 with when to come again, also for streams', async () => {
    const { ask } = service({ rates: { caller: [0.5, 2], nobody: [1, 1] } });
    const [alice, bob] = [{ who: 'alice' }, { who: 'bob' }];
    expect([await ask(alice), await ask(alice), await ask(alice)]).toEqual([
      ...[NOT_ALLOWED, NOT_ALLOWED],
      { status: 429, retryAfter: '2' },
    ]);
    expect(await ask(alice, '/api/test/v1/Box/one/change-stream')).toEqual({ status: 429, retryAfter: '2' });
    expect(await ask(bob)).toEqual(NOT_ALLOWED);
    expect((await ask(alice, '/health/live')).status).toBe(200);
    vi.advanceTimersByTime(2_000);
    expect([await ask(alice), (await ask(alice)).status]).toEqual([NOT_ALLOWED, 429]);
  });

  it('hold for each address from which nobody shows who asks, and keep no caller there from asking', async () => {
    const { ask } = service({ rates: { caller: [1, 1], nobody: [1, 2] } });
    const here = { address: '10.0.0.1' };
    expect([await ask(here), await ask(here), await ask(here)]).toEqual([
      ...[REFUSED, REFUSED],
      { status: 429, retryAfter: '1' },
    ]);
    expect(await ask({ address: '10.0.0.2' })).toEqual(REFUSED);
    expect(await ask({ ...here, who: 'alice' })).toEqual(NOT_ALLOWED);
  });
});

describe('300 requests of nobody (S6.5)', () => {
  const askedBy = (audited: readonly AuditEntry[]) =>
    audited.map(({ remoteAddress, reason = '' }) => [remoteAddress, /^\d+ more/.exec(reason)?.[0]]);

  it('make one entry of the audit trail a minute for each address, which counts them', async () => {
    const { ask, audited } = service();
    for (let count = 0; count < 300; count++) await ask({ address: '10.0.0.1' });
    await ask({ address: '10.0.0.2' });
    const first = [
      ['10.0.0.1', undefined],
      ['10.0.0.2', undefined],
    ];
    expect(askedBy(audited)).toEqual(first);
    vi.advanceTimersByTime(60_000);
    expect(askedBy(audited)).toEqual([...first, ['10.0.0.1', '299 more']]);
    await ask({ address: '10.0.0.1' });
    await ask({ address: '10.0.0.2' });
    expect(askedBy(audited).slice(3)).toEqual([['10.0.0.2', undefined]]);
    vi.advanceTimersByTime(60_000);
    expect(askedBy(audited).slice(4)).toEqual([['10.0.0.1', '1 more']]);
    vi.advanceTimersByTime(600_000);
    expect(audited).toHaveLength(5);
  });

  it('are told when the service is stopped', async () => {
    const { ask, audited, stop } = service();
    for (let count = 0; count < 3; count++) await ask({ address: '10.0.0.1' });
    stop();
    expect(askedBy(audited)).toEqual([
      ['10.0.0.1', undefined],
      ['10.0.0.1', '2 more'],
    ]);
  });
});
