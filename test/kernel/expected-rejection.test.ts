import { describe, expect, it } from 'vitest';
import { all, any, not, type AnyEntity, type Predicate } from '../../src/definition/index.js';
import { asksAboutRejection, isUnexpected } from '../../src/kernel/rules/expected-rejection.js';
import { raisedAgain, firstRaise } from '../../src/protocol/raise-id.js';

const asking = (when: Predicate) => ({ subscriptions: { s: { when, raise: 'e' } } }) as unknown as AnyEntity;
const asks = (when: Predicate, role?: string) => asksAboutRejection(asking(when), { type: 'Box', key: 'a' }, role);

describe('whether a rejection is expected (S3.6)', () => {
  it('is so where a subscription asks for rejections of that successor', () => {
    expect(asks(any({ is: 'rejected' }))).toBe(true);
    expect(asks(not(any({ of: 'Box', key: 'a', is: 'rejected' })))).toBe(true);
    expect(asks(any({ role: 'main', is: 'rejected' }), 'main')).toBe(true);
    expect(asks(any({ role: 'main', is: 'rejected' }))).toBe(false);
    expect(asks(any({ of: 'Room', is: 'rejected' }))).toBe(false);
    expect(asks(any({ key: 'b', is: 'rejected' }))).toBe(false);
    expect(asks(all({ is: 'settled' }))).toBe(false);
  });

  it('is so for whoever waits for the event, has said so, or stands outside', () => {
    const from = { type: 'Room', key: 'r', life: 'l', judges: false };
    expect(isUnexpected({ from })).toBe(true);
    expect(isUnexpected({ from, awaited: 'w' })).toBe(false);
    expect(isUnexpected({ from, mayBeRejected: true })).toBe(false);
    expect(isUnexpected({})).toBe(false);
  });
});

describe('the id of a raise', () => {
  it('counts how often it was raised in vain, and names the first, whatever the key of the entity', () => {
    const first = 'Box/a~1#l/2/put/look/1';
    expect(raisedAgain(first)).toBe(`${first}~1`);
    expect(raisedAgain(`${first}~9`)).toBe(`${first}~10`);
    expect(firstRaise(`${first}~10`)).toBe(first);
    expect(firstRaise(first)).toBe(first);
  });
});
