import { expect, it } from 'vitest';
import { admit } from '../../src/kernel/turns/admit.js';
import { isInDoubt } from '../../src/kernel/ledger/doubt.js';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { firstLedger, recordOutcome, remember } from '../../src/kernel/ledger/ledger.js';
import type { PastRequest } from '../../src/protocol/past-request.js';
import { timedUuid } from '../../src/protocol/request-id.js';
import type { Ledger, Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

/** With `REEVE_FOR_LIFE=1`, a million: that takes a minute. */
const EVENTS = process.env['REEVE_FOR_LIFE'] === '1' ? 1_000_000 : 100_000;
const EACH = 1_000;
const START = Date.UTC(2026, 0, 1);

/** As clients make them, some with clocks that differ by up to 10 s. */
function request(index: number) {
  const skew = index % 10 === 0 ? ((index * 7919) % 20_000) - 10_000 : 0;
  const random = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  return { id: timedUuid(random, START + index * 10 + skew), event: 'relabel', params: { label: 'same' } };
}

/** The box has no state in which anything but the requests differs. */
function placedBox(): Snapshot {
  const box = new Puppet(Box);
  box.raise('place', { label: 'same' });
  box.end('Placing');
  box.startAutomatic();
  box.end('Placed');
  return box.snapshot;
}

it('an entity knows its requests for life, and asks for none that is new (S2.5, ledger.3, ledger.4)', () => {
  const box = placedBox();
  const fingerprint = contentFingerprint(request(0));
  const past = (index: number): PastRequest => {
    const outcome = { state: 'Placed', version: index, health: 'normal', waiting: false } as const;
    const { id, event } = request(index);
    return { id, event, fingerprint, operation: id, life: box.life, outcome, startedAt: index, endedAt: index };
  };
  let ledger: Ledger = firstLedger(START, undefined);
  let asked = 0;
  const sizes: number[] = [];
  for (let index = 0; index < EVENTS; index++) {
    const raised = request(index);
    if (isInDoubt(Box, { ...box, ledger }, raised)) asked++;
    ledger = recordOutcome(remember(ledger, raised), { id: raised.id, opened: false }, past(index).outcome);
    if (index >= 50_000 && index % 10_000 === 0) sizes.push(JSON.stringify(ledger).length);
  }
  // It has forgotten all but 16,000, in 192 KB and what keeps its outcome; and the store was asked for none.
  expect(ledger.forgotten).toBeGreaterThan(EVENTS - 20_000);
  expect(Math.max(...sizes)).toBeLessThan(224 * 1024);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(16 * 1024);
  expect(asked).toBe(0);

  const snapshot: Snapshot = { ...box, ledger };
  let remembered = 0;
  for (let index = 0; index < EVENTS; index += EACH) {
    const repeated = request(index);
    const doubtful = isInDoubt(Box, snapshot, repeated);
    if (!doubtful) remembered++;
    const step = admit(Box, snapshot, repeated, START, doubtful ? past(index) : undefined);
    expect(step.answer).toMatchObject({ status: 'accepted', repeated: true, outcome: { version: index } });
    expect(step.snapshot).toBe(snapshot);
    const other = admit(Box, snapshot, { ...repeated, params: { label: 'other' } }, START, past(index));
    expect(other.answer).toMatchObject({ rejection: { code: 'request_conflict' } });
  }
  expect(remembered).toBeLessThan(2);
});
