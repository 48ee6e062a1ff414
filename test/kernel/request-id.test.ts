import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newRequestId } from '../../src/client/new-request-id.js';
import { raisedAt, timedUuid, timeOfId } from '../../src/protocol/request-id.js';

describe('request ids that carry their time (S2.5, request-id.1)', () => {
  it('are UUIDs of version 7, as RFC 9562 has its example', () => {
    // Appendix A.6: 2022-02-22 14:22:22.00 GMT-05:00.
    const example = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
    expect(timeOfId(example)).toBe(Date.UTC(2022, 1, 22, 19, 22, 22));
    expect(timedUuid('919108f7-52d1-4cc3-98c4-dc0c0c07398f', Date.UTC(2022, 1, 22, 19, 22, 22))).toBe(example);
  });

  it('have version, variant and 74 bits of chance', () => {
    const at = Date.now();
    const ids = Array.from({ length: 1_000 }, () => timedUuid(randomUUID(), at));
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOfId(id)).toBe(at);
    }
    expect(new Set(ids).size).toBe(1_000);
  });

  it('are in the order of their times, to the ends of 48 bits', () => {
    const times = [0, 1, 1_000, Date.UTC(2026, 0, 1), 2 ** 48 - 1];
    const ids = times.map((at) => timedUuid(randomUUID(), at));
    expect([...ids].sort()).toEqual(ids);
    expect(ids.map(timeOfId)).toEqual(times);
  });

  it('are made by clients with the time of their clock', () => {
    const before = Date.now();
    expect(timeOfId(newRequestId())).toBeGreaterThanOrEqual(before);
    expect(timeOfId(newRequestId())).toBeLessThanOrEqual(Date.now());
  });

  it('may be the key of somebody, and may be what an entity raises, in any attempt', () => {
    const uuid = timedUuid(randomUUID(), 5_000);
    expect(timeOfId(`${uuid}~LMNopq123456`)).toBe(5_000);
    expect(timeOfId(uuid.toUpperCase())).toBe(5_000);
    const raised = raisedAt('Site/shop#life/3/begin/build/2', Date.UTC(2026, 0, 1));
    expect(timeOfId(raised)).toBe(Date.UTC(2026, 0, 1));
    expect(timeOfId(`${raised}~2`)).toBe(Date.UTC(2026, 0, 1));
  });

  it.each(['', 'mine', randomUUID(), 'a@b', 'x@12345', `x${timedUuid(randomUUID(), 5)}`])('%j carries none', (id) => {
    expect(timeOfId(id)).toBeUndefined();
  });
});
