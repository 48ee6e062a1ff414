import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { timeoutOf } from '../../src/definition/call-times.js';
import { defineResource, type CallShape } from '../../src/definition/index.js';

const shape: CallShape = { input: z.object({}), output: z.object({}) };
const define = (times: Partial<CallShape>) => () => defineResource('shop', { buy: { ...shape, ...times } });

describe('the times of a call', () => {
  it('have no default that is shorter than what is declared', () => {
    expect(timeoutOf(shape)).toBe(60_000);
    expect(timeoutOf({ ...shape, heartbeat: '5s' })).toBe(60_000);
    expect(timeoutOf({ ...shape, heartbeat: '5m' })).toBe(300_000);
    expect(timeoutOf({ ...shape, heartbeat: '5m', timeout: '1h' })).toBe(3_600_000);
  });

  it('are refused where one makes another one meaningless, or is none', () => {
    expect(define({ heartbeat: '5m', timeout: '1m' })).toThrow(
      "Resource 'shop': the call 'buy' may be silent for 5m, and takes 1m at most. Write a 'heartbeat' that is shorter than its 'timeout'.",
    );
    expect(define({ timeout: '5 s' as '5s' })).toThrow("declares timeout: '5 s', which is no length of time");
    expect(define({ timeout: 0 })).toThrow("declares timeout: '0', which is no length of time");
    expect(define({ answer: 'callback', within: NaN })).toThrow("declares within: 'NaN', which is no length of time");
    expect(define({ heartbeat: '1m', timeout: '1m' })).not.toThrow();
  });
});
