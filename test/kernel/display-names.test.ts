import { describe, expect, it } from 'vitest';
import { displayEvent, displayNamesOf, displayState } from '../../src/definition/index.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { describeSnapshot } from '../../src/kernel/explain/describe.js';
import { decideRaised } from '../../src/kernel/rules/decide.js';
import { refusePermission } from '../../src/kernel/rules/permission.js';
import { LOOK_DISTANCE } from '../../src/kernel/rules/look-distance.js';
import { summariseWait } from '../../src/kernel/turns/wait-summary.js';
import { Payment } from '../entities/payment.js';
import { Puppet } from '../support/entities.js';

/** A payment that waits for its capture. */
function confirmed(): Puppet {
  const payment = new Puppet(Payment, 'p');
  payment.raise('confirm', { amount: 5 });
  payment.end('requires_capture', { properties: { amount: 5 } });
  return payment;
}

describe('names and display names', () => {
  it('are told apart: snapshots and rows have the name, whatever people read (S5.1)', () => {
    const { snapshot, records } = confirmed();
    expect(snapshot).toMatchObject({ state: 'requires_capture' });
    expect(JSON.stringify([snapshot, records])).not.toContain('Requires capture');
    expect(records.some((each) => each.kind === 'transition' && each.endState === 'requires_capture')).toBe(true);
  });

  it('show in the details of Temporal’s UI and in the summary of its timers (S5.6)', () => {
    const { snapshot } = confirmed();
    const details = describeSnapshot(Payment, snapshot);
    expect(details).toContain('**Payment/p** is **Requires capture**');
    expect(details).toContain('Raises `Call it off` at');
    expect(details).toContain('Valid events: Capture the money, Call it off.');
    const deadline = snapshot.enteredAt + 7 * 86_400_000;
    expect(summariseWait(Payment, snapshot, deadline, LOOK_DISTANCE)).toBe('deadline: Call it off');
  });

  it('show in what a rejection says, which names the event and the state for programs beside it (S2.2)', () => {
    const payment = confirmed();
    expect(payment.raise('confirm', { amount: 6 }, { id: 'again' })).toMatchObject({
      rejection: {
        ...{ code: 'not_valid', event: 'confirm', state: 'requires_capture' },
        validNow: ['capture_payment', 'cancel_payment'],
        message:
          "'confirm' is not valid while Payment/p is Requires capture. Valid now: Capture the money, Call it off.",
      },
    });
    const message = (request: object) => {
      const decided = decideRaised(Payment, payment.snapshot, { event: 'capture_payment', ...request });
      return decided.accepted ? undefined : decided.rejection.message;
    };
    expect(message({ params: { much: 1 } })).toBe("'Capture the money' takes no parameters.");
    expect(message({ expects: { life: 'life-1', version: 99 } })).toContain(
      "'Capture the money' was meant for version 99",
    );
    const asked = { event: 'capture_payment', actor: { subject: 'ada', tenant: '*', roles: [] } };
    const forbidden = refusePermission(Payment, payment.snapshot, asked);
    expect(forbidden?.message).toContain("'Capture the money' on Payment/p requires one of the roles operator");
    payment.raise('capture_payment');
    payment.end('succeeded');
    expect(message({})).toContain("'Capture the money' has already been done: Payment/p is succeeded.");
  });

  it('stand side by side in what may be raised now (S2.6)', () => {
    expect(allowedEvents(Payment, confirmed().snapshot)).toMatchObject([
      { event: 'confirm', allowed: false },
      { event: 'capture_payment', displayName: 'Capture the money', allowed: true },
      { event: 'cancel_payment', displayName: 'Call it off', allowed: true },
    ]);
    expect(allowedEvents(Payment, confirmed().snapshot)[0]).not.toHaveProperty('displayName');
  });

  it('are the same where there is no other one, and where nothing is declared', () => {
    expect(displayState(Payment, 'succeeded')).toBe('succeeded');
    expect(displayState(Payment, 'toString')).toBe('toString');
    expect(displayEvent(Payment, 'confirm')).toBe('confirm');
    expect(displayEvent(Payment, 'reeve_retry')).toBe('reeve_retry');
    expect(displayNamesOf(Payment)).toEqual({
      states: {
        requires_confirmation: 'To be confirmed',
        requires_capture: 'Requires capture',
        canceled: 'Called off',
      },
      events: { capture_payment: 'Capture the money', cancel_payment: 'Call it off' },
    });
  });
});
