import { describe, expect, it } from 'vitest';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import {
  EMPTY_LEDGER,
  forget,
  immediateOutcome,
  inheritLedger,
  recall,
  recordOutcome,
  remember,
  rememberRejected,
} from '../../src/kernel/ledger/ledger.js';
import { answerLook } from '../../src/kernel/successors/look-answer.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Ledger } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';
import { randomNumbers } from '../support/random.js';

const LEDGER_BUDGET = 192 * 1024;
const outcome = (version: number): EngagementOutcome => ({
  state: 'Placed',
  version,
  health: 'normal',
  waiting: false,
});
const request = (index: number) => ({ id: `request-${index}`, event: 'relabel', params: { label: `label ${index}` } });

/** A ledger that has seen so many requests come and end. */
function aged(count: number, ledger: Ledger = EMPTY_LEDGER, first = 0): Ledger {
  let now = ledger;
  for (let index = first; index < first + count; index++) {
    const { id } = request(index);
    now = recordOutcome(remember(now, request(index)), { id, opened: false }, outcome(index));
  }
  return now;
}

describe('the ledger', () => {
  it('knows each of 10,000 requests, in 128 KB (S2.5, ledger.2, ledger.3)', () => {
    const ledger = aged(10_000);
    for (let index = 0; index < 10_000; index++) {
      expect(recall(ledger, request(index))?.same, request(index).id).toBe(true);
    }
    expect(ledger.forgotten).toBe(0);
    expect(JSON.stringify(ledger).length).toBeLessThan(128 * 1024);
  });

  it('knows no request that never came (S2.5)', () => {
    const ledger = aged(10_000);
    for (let index = 10_000; index < 20_000; index++) expect(recall(ledger, request(index))).toBeUndefined();
  });

  it('tells other content under a known id, however old (S2.5)', () => {
    const ledger = aged(2_000);
    for (let index = 0; index < 2_000; index += 7) {
      expect(recall(ledger, { ...request(index), params: { label: 'other' } })?.same).toBe(false);
      expect(recall(ledger, { ...request(index), event: 'look' })?.same).toBe(false);
    }
  });

  it('keeps the outcome of the latest 64 (S2.5, ledger.2)', () => {
    const ledger = aged(1_000);
    for (let index = 936; index < 1_000; index++) {
      expect(immediateOutcome(ledger, request(index).id)).toEqual(outcome(index));
    }
    expect(recall(ledger, request(0))).toEqual({ same: true });
  });

  it('stays in its budget for life: it forgets the oldest, and counts them (ledger.3)', () => {
    let ledger = EMPTY_LEDGER;
    for (let first = 0; first < 40_000; first += 1_000) {
      ledger = aged(1_000, ledger, first);
      expect(JSON.stringify(ledger).length).toBeLessThan(LEDGER_BUDGET + 24_000);
    }
    const known = Array.from({ length: 40_000 }, (_, index) => recall(ledger, request(index)) !== undefined);
    expect(known.indexOf(true)).toBe(ledger.forgotten);
    expect(known.lastIndexOf(false)).toBe(ledger.forgotten - 1);
    expect(40_000 - ledger.forgotten).toBeGreaterThan(15_000);
  });

  it('forgets none that has not ended, however many there are (ledger.1)', () => {
    let ledger = remember(EMPTY_LEDGER, request(-1));
    ledger = aged(500, ledger);
    ledger = recordOutcome(ledger, { id: 'request--1', opened: false }, outcome(1));
    expect(immediateOutcome(ledger, 'request--1')).toEqual(outcome(1));
  });

  it('keeps long errors from filling its budget (ledger.3)', () => {
    let ledger = EMPTY_LEDGER;
    for (let index = 0; index < 60; index++) {
      const error = { kind: 'retryable' as const, code: 'long', message: 'x'.repeat(5_000) };
      const { id } = request(index);
      ledger = recordOutcome(remember(ledger, request(index)), { id, opened: false }, { ...outcome(1), error });
      expect(JSON.stringify(ledger.recent).length).toBeLessThan(32_000);
    }
    expect(recall(ledger, request(0))).toEqual({ same: true });
    expect(recall(ledger, request(59))?.entry?.outcome?.error?.code).toBe('long');
  });

  it('remembers what it rejected among the latest only, and never as accepted (S2.2, ledger.1)', () => {
    const rejection = { code: 'not_valid', message: 'no', entity: 'Box/k', event: 'relabel' };
    const rejected = rememberRejected(EMPTY_LEDGER, request(0), { ...outcome(1), rejection });
    expect(recall(rejected, request(0))?.entry?.outcome?.rejection).toEqual(rejection);
    expect(recall(aged(60, rejected, 1), request(0))?.entry?.outcome?.rejection).toEqual(rejection);
    expect(recall(aged(120, rejected, 1), request(0))).toBeUndefined();
    let many = EMPTY_LEDGER;
    for (let index = 0; index < 1_000; index++) {
      many = rememberRejected(many, request(index), { ...outcome(1), rejection });
    }
    expect(many.recent.length).toBeLessThan(100);
    expect(many).toMatchObject({ older: [], forgotten: 0 });
  });

  it('agrees with a plain map over random requests, repetitions and rejections (S2.5)', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = randomNumbers(seed);
      const accepted = new Map<string, unknown>();
      let ledger = EMPTY_LEDGER;
      for (let step = 0; step < 2_000; step++) {
        const number = Math.floor(random() * 1_500);
        const raised = { id: `${seed}/${number}`, event: 'relabel', params: { label: Math.floor(random() * 2) } };
        const known = recall(ledger, raised);
        expect(known !== undefined, `seed ${seed}, step ${step}`).toBe(accepted.has(raised.id));
        if (known) {
          expect(known.same, `seed ${seed}, step ${step}`).toBe(accepted.get(raised.id) === raised.params.label);
          continue;
        }
        const waits = random() < 0.3;
        if (waits) ledger = remember(ledger, raised);
        if (waits && random() < 0.5) {
          ledger = forget(ledger, raised.id);
          continue;
        }
        ledger = recordOutcome(remember(ledger, raised), { id: raised.id, opened: false }, outcome(step));
        accepted.set(raised.id, raised.params.label);
      }
    }
  });

  it('goes over to the next life, which tells the lives apart (S1.3)', () => {
    const second = inheritLedger({ ledger: aged(3), life: 'first' });
    const third = inheritLedger({ ledger: aged(1, second, 3), life: 'second' });
    expect(third.recent.map(({ life }) => life)).toEqual(['first', 'first', 'first', 'second']);
  });
});

describe('an entity whose last life had a request', () => {
  const from = { type: 'Room', key: 'r', life: 'room-life', judges: false };

  it('answers a look of whoever raised it that it is another one (S1.3, S4.4)', () => {
    const box = new Puppet(Box);
    const ledger = inheritLedger({ ledger: aged(1), life: 'life-0' });
    const look = { kind: 'look', from, request: request(0).id, life: 'life-0' } as const;
    expect(answerLook(Box, { ...box.snapshot, ledger }, look)).toMatchObject([
      { kind: 'send', to: { key: 'r' }, message: { kind: 'stranger', request: request(0).id } },
    ]);
  });

  it('reports its outcome again as that of the last life (S1.3, S2.5)', () => {
    const box = new Puppet(Box);
    box.snapshot = { ...box.snapshot, ledger: inheritLedger({ ledger: aged(1), life: 'life-0' }) };
    expect(box.raise('relabel', request(0).params, { id: request(0).id, from })).toMatchObject({ status: 'accepted' });
    expect(box.taken()).toMatchObject([{ message: { kind: 'report', from: { life: 'life-0' }, outcome: outcome(0) } }]);
  });
});

describe('the fingerprint of a request', () => {
  it("differs with event and parameters, not with the order of an object's members (S2.5)", () => {
    const one = contentFingerprint({ event: 'place', params: { a: 1, b: [{ c: 2, d: 3 }] } });
    expect(contentFingerprint({ event: 'place', params: { b: [{ d: 3, c: 2 }], a: 1 } })).toBe(one);
    expect(contentFingerprint({ event: 'place', params: { a: 1, b: [{ c: 2, d: 4 }] } })).not.toBe(one);
    expect(contentFingerprint({ event: 'replace', params: { a: 1, b: [{ c: 2, d: 3 }] } })).not.toBe(one);
  });
});

describe('an entity with an old request', () => {
  const from = { type: 'Room', key: 'r', life: 'room-life', judges: false };

  function old(): Puppet {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { operation: 'op', from });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    for (let index = 0; index < 200; index++) {
      box.raise('relabel', { label: `${index}` }, { id: `relabel-${index}` });
      box.end();
    }
    box.taken();
    return box;
  }

  it('accepts it again and runs nothing (S2.5, admit.3)', () => {
    const box = old();
    const before = box.snapshot;
    expect(box.raise('relabel', { label: '3' }, { id: 'relabel-3' })).toEqual({
      status: 'accepted',
      operation: 'relabel-3',
      repeated: true,
      longAgo: true,
    });
    expect(box.snapshot).toBe(before);
  });

  it('refuses it with other content (S2.5, admit.3)', () => {
    expect(old().raise('relabel', { label: '4' }, { id: 'relabel-3' })).toMatchObject({
      status: 'rejected',
      rejection: { code: 'request_conflict' },
    });
  });

  it('tells another entity that asks again how it stands, and its operation not to wait for it (S2.5, S4.2)', () => {
    const box = old();
    box.raise('place', { label: 'x' }, { operation: 'op', from });
    expect(box.taken()).toMatchObject([
      { kind: 'tell', operation: 'op', message: { kind: 'followed', engagement: 'place-id' } },
      {
        kind: 'send',
        to: { key: 'r' },
        message: { kind: 'report', ended: ['place-id'], outcome: { state: 'Placed' } },
      },
    ]);
  });
});
