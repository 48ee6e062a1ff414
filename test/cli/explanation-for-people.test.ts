import { describe, expect, it } from 'vitest';
import { explanationForPeople } from '../../src/cli/explanation/explanation-for-people.js';
import { NamesForPeople } from '../../src/cli/names-for-people.js';
import type { ExplainedEntity, ExplainedNode } from '../../src/client/explain/explanation.js';
import { displayNamesOf } from '../../src/definition/index.js';
import type { Wait } from '../../src/kernel/index.js';
import { Box } from '../entities/box.js';
import { Payment } from '../entities/payment.js';

const names = new NamesForPeople(new Map([Payment, Box].map((entity) => [entity.name, displayNamesOf(entity)])));

function payment(waits: readonly Wait[], below: readonly ExplainedNode[] = []): ExplainedEntity {
  const seen = { kind: 'entity', health: 'normal', since: 0, settled: false, calls: [], waits, below } as const;
  const events = [{ event: 'capture_payment', operation: 'op', since: 0 }];
  return { ...seen, entity: 'Payment/p', state: 'requires_capture', events };
}

describe('the names that people read and say (S6.3)', () => {
  it('are the display names of the type, and the names where there are none', () => {
    expect(names.state('Payment', 'requires_capture')).toBe('Requires capture');
    expect(names.state('Payment', 'succeeded')).toBe('succeeded');
    expect(names.state('Box', 'requires_capture')).toBe('requires_capture');
    expect(names.state('Payment', 'toString')).toBe('toString');
    expect(names.event('Nobody', 'place')).toBe('place');
    expect(names.eventOf('Payment/p', 'capture_payment')).toBe('Capture the money');
  });

  it('lead back to the names, of a type or of all; anything else is taken as it is', () => {
    expect(names.statesCalled('Requires capture')).toEqual(['requires_capture']);
    expect(names.statesCalled('Requires capture', 'Box')).toEqual(['Requires capture']);
    expect(names.statesCalled('Placed')).toEqual(['Placed']);
    expect(names.eventCalled('Payment', 'Call it off')).toBe('cancel_payment');
    expect(names.eventCalled('Nobody', 'place')).toBe('place');
  });

  it('stand everywhere in an explanation (S5.4)', () => {
    const deadline: Wait = { kind: 'timer', timer: 'deadline', event: 'cancel_payment', at: 1 };
    const waiting: Wait = { kind: 'event', event: 'cancel_payment', operation: 'op' };
    const running: Wait = {
      ...{ kind: 'action', action: 'capture', automatic: false, since: 0, attempt: 1 },
      awaits: [
        { kind: 'event', on: 'Payment/q', event: 'capture_payment', until: 1 },
        { kind: 'view', on: 'Payment/q', until: 1 },
      ],
    };
    const successors = [{ entity: 'Payment/q', is: 'settled', state: 'requires_capture' }] as const;
    const subscribed: Wait = {
      ...{
        kind: 'subscription',
        subscription: 's',
        event: 'cancel_payment',
        pattern: 'any Payment failed',
        used: false,
      },
      unmet: [{ kind: 'either', choices: [[{ kind: 'pattern', pattern: 'any Payment failed', successors }]] }],
    };
    const below: ExplainedNode[] = [
      { kind: 'unread', entity: 'Payment/q', reason: 'no_answer', state: 'canceled', calls: [] },
      { kind: 'elsewhere', entity: 'Payment/p', cycle: true },
    ];
    const lost: Wait = { kind: 'lost', successor: 'Payment/q' };
    const shown = explanationForPeople(
      { at: 0, entities: [payment([deadline, waiting, running, subscribed, lost], below)], starved: [], stuck: [] },
      names,
    );
    expect(shown.entities).toMatchObject([
      {
        state: 'Requires capture',
        events: [{ event: 'Capture the money' }],
        waits: [
          { event: 'Call it off' },
          { event: 'Call it off' },
          { awaits: [{ event: 'Capture the money' }, {}] },
          { event: 'Call it off', unmet: [{ choices: [[{ successors: [{ state: 'Requires capture' }] }]] }] },
          lost,
        ],
        below: [{ state: 'Called off' }, { kind: 'elsewhere' }],
      },
    ]);
  });
});
