import { describe, expect, it } from 'vitest';
import { askOutside, noteRound } from '../../src/kernel/callbacks/callback.js';
import { withdrawClosed, withdrawn } from '../../src/kernel/callbacks/withdrawal.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const NOW = 1_000_000;
const bare = new Puppet(Box).snapshot;

function ask(snapshot: Snapshot, { part = 1, now = NOW, withdraws = true } = {}): Snapshot {
  const question = { idempotencyKey: 'key', call: 'crowd.write', input: { part }, withinMs: 5_000, withdraws };
  return withdrawClosed(snapshot, askOutside(snapshot, question, now).snapshot);
}

function without({ callbacks: _, ...rest }: Snapshot): Snapshot {
  return rest;
}

describe('Questions that nobody waits for any more (A3)', () => {
  const asked = ask(bare);
  const { id } = asked.callbacks![0]!;
  const end = (how: Parameters<typeof noteRound>[2]['end']) =>
    withdrawClosed(asked, noteRound(asked, id, how ? { end: how } : {}));

  it.each(['timed out', 'aborted', 'superseded', 'revoked', 'failed'] as const)('that are %s are withdrawn', (how) => {
    const ended = end(how);
    const told = { id, call: 'crowd.write', idempotencyKey: 'key', input: { part: 1 }, reason: how };
    expect(ended.withdrawals).toEqual([told]);
    // The input is kept no longer than it is needed.
    expect(ended.callbacks![0]).not.toHaveProperty('withdrawal');
  });

  it('are withdrawn when what had asked is over (withdrawal.1)', () => {
    expect(withdrawClosed(asked, without(asked)).withdrawals).toMatchObject([{ id, reason: 'left' }]);
  });

  it('are withdrawn when something else is asked instead, or the same too late (withdrawal.1)', () => {
    expect(ask(asked, { part: 2, now: NOW + 1 }).withdrawals).toMatchObject([{ id, reason: 'superseded' }]);
    expect(ask(asked, { now: NOW + 9_000 }).withdrawals).toMatchObject([{ id, reason: 'timed out' }]);
  });

  it('are not withdrawn while they can be answered, nor when they were (withdrawal.1)', () => {
    expect(withdrawClosed(asked, noteRound(asked, id, { asked: true })).withdrawals).toBeUndefined();
    const answered = { ...asked, callbacks: asked.callbacks!.map((each) => ({ ...each, answer: { output: 1 } })) };
    const after = withdrawClosed(asked, answered);
    expect(after.withdrawals).toBeUndefined();
    expect(after.callbacks![0]).not.toHaveProperty('withdrawal');
    expect(withdrawClosed(after, without(after)).withdrawals).toBeUndefined();
  });

  it('are not withdrawn where the call does not say so', () => {
    const silent = ask(bare, { withdraws: false });
    expect(withdrawClosed(silent, without(silent)).withdrawals).toBeUndefined();
  });

  it('are withdrawn once, and kept until that has happened (withdrawal.2)', () => {
    const ended = end('aborted');
    const left = withdrawClosed(ended, without(ended));
    expect(left.withdrawals).toHaveLength(1);
    expect(withdrawn(left, id).withdrawals).toBeUndefined();
  });
});
