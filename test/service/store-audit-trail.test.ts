import pino from 'pino';
import { expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import type { AuditEntry as AuditRow } from '../../src/store/index.js';

const log = pino({ level: 'silent' });
const entry = (requestId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1,
  actor: { subject: 'alice', tenant: 'acme', roles: ['owner'] },
  access: { action: 'raise', event: 'touch', entity: { type: 'Vault', key: 'a' }, operation: 'op' },
  decision: 'allowed',
  requestId,
  ...more,
});

it('the audit trail is written while nobody waits, with all that is known of a decision (S6.5)', async () => {
  const rows: AuditRow[] = [];
  const trail = new StoreAuditTrail({ audit: async (given) => void rows.push(...given) }, log);
  expect(trail.record(entry('one', { remoteAddress: '10.0.0.1' }))).toBeUndefined();
  trail.record(
    entry('two', { actor: undefined, access: { action: 'GET /api/x' }, decision: 'denied', reason: 'who?' }),
  );
  await trail.close();
  const decided = {
    at: 1,
    decision: 'allowed',
    action: 'raise touch',
    entity: { type: 'Vault', key: 'a' },
    operation: 'op',
  };
  expect(rows).toMatchObject([
    { ...decided, subject: 'alice', tenant: 'acme', roles: ['owner'], requestId: 'one', remoteAddress: '10.0.0.1' },
    { subject: 'nobody', roles: [], action: 'GET /api/x', decision: 'denied', reason: 'who?', requestId: 'two' },
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
});

it('what cannot be written waits, in order, until the store is back (S5.2, S6.5)', async () => {
  vi.useFakeTimers();
  try {
    const written: string[] = [];
    let away = true;
    const audit = async (given: readonly AuditRow[]) => {
      if (away) throw new Error('away');
      written.push(...given.map(({ requestId = '' }) => requestId));
    };
    const trail = new StoreAuditTrail({ audit }, log);
    trail.record(entry('one'));
    await vi.advanceTimersByTimeAsync(1);
    trail.record(entry('two'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(written).toEqual([]);
    away = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(written).toEqual(['one', 'two']);
    await trail.close();
  } finally {
    vi.useRealTimers();
  }
});
