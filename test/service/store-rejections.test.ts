import { expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { StoreRejections } from '../../src/service/store-rejections.js';
import type { RejectedEvent } from '../../src/store/index.js';

const rejection = { code: 'not_valid', message: 'Not now.', entity: 'Vault/a', event: 'touch', state: 'Sealed' };
const entry = (operation: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1_000,
  actor: { subject: 'alice', tenant: 'acme', roles: ['owner'] },
  access: { action: 'raise', event: 'touch', entity: { type: 'Vault', key: 'a' }, operation },
  ...{ decision: 'allowed', reason: 'The entity rejected it: not_valid.', rejection, requestId: 'http' },
  ...more,
});

it('what was rejected is written while nobody waits, with all that is known of it (S2.2)', async () => {
  const rows: RejectedEvent[] = [];
  const rejections = new StoreRejections({ reject: async (given) => void rows.push(...given) }, () => undefined);
  expect(rejections.record(entry('one'))).toBeUndefined();
  rejections.record(entry('two', { actor: { subject: 'root', tenant: '*', roles: ['operator'] } }));
  // A signed address reaches entities of all tenants, whoever sends the answer.
  rejections.record(entry('answered', { access: { action: 'answer', entity: { type: 'Vault', key: 'b' } } }));
  const { rejection: _, ...allowed } = entry('three');
  rejections.record(allowed);
  for (const code of ['no_answer', 'try_again', 'another_tenant']) {
    rejections.record(entry('four', { rejection: { ...rejection, code } }));
  }
  await rejections.close();
  const of = { at: 1_000, times: 1, entity: { type: 'Vault', key: 'a' }, event: 'touch', state: 'Sealed' };
  expect(rows).toMatchObject([
    { ...of, code: 'not_valid', message: 'Not now.', subject: 'alice', tenant: 'acme', requestId: 'one' },
    { ...of, subject: 'root', requestId: 'two' },
    { ...of, entity: { type: 'Vault', key: 'b' }, subject: 'alice' },
  ]);
  // Nobody has said whose it is.
  for (const row of rows.slice(1)) expect(row).not.toHaveProperty('tenant');
});

it('who raises the same in vain again and again gets one row a second, which counts (S2.2)', async () => {
  vi.useFakeTimers();
  try {
    const rows: RejectedEvent[] = [];
    const rejections = new StoreRejections({ reject: async (given) => void rows.push(...given) }, () => undefined);
    for (let at = 0; at < 500; at++) rejections.record(entry(`r${at}`, { at }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rows).toMatchObject([{ at: 0, lastAt: 499, times: 500, requestId: 'r499' }]);
    rejections.record(entry('later', { at: 2_000 }));
    await rejections.close();
    expect(rows).toHaveLength(2);
    expect(rows[1]!.id).not.toBe(rows[0]!.id);
  } finally {
    vi.useRealTimers();
  }
});

it('what could not be written keeps its count when the same is rejected meanwhile (S2.2)', async () => {
  vi.useFakeTimers();
  try {
    const rows: RejectedEvent[] = [];
    let fail: (() => void) | undefined;
    const reject = async (given: readonly RejectedEvent[]) => {
      if (rows.length === 0 && !fail) await new Promise<void>((_, failed) => (fail = () => failed(new Error('away'))));
      rows.push(...given);
    };
    const rejections = new StoreRejections({ reject }, () => undefined);
    for (let at = 0; at < 3; at++) rejections.record(entry(`r${at}`, { at }));
    await vi.advanceTimersByTimeAsync(1_000);
    // The batch is under way when the same is rejected once more.
    rejections.record(entry('later', { at: 1_500 }));
    fail!();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(4);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    await rejections.close();
  } finally {
    vi.useRealTimers();
  }
});

it('what cannot be written waits until the store is back, and not without end (S5.2)', async () => {
  vi.useFakeTimers();
  try {
    const rows: RejectedEvent[] = [];
    const warnings: string[] = [];
    let away = true;
    const reject = async (given: readonly RejectedEvent[]) => {
      if (away) throw new Error('away');
      rows.push(...given);
    };
    const rejections = new StoreRejections({ reject }, (message) => warnings.push(message));
    const on = (key: string) => ({ action: 'raise', event: 'touch', entity: { type: 'Vault', key } }) as const;
    for (let key = 0; key < 10_100; key++) rejections.record(entry('r', { access: on(String(key)) }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(warnings).toHaveLength(1);
    away = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rows).toHaveLength(10_000);
    await rejections.close();
  } finally {
    vi.useRealTimers();
  }
});
