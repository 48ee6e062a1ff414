import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { timeLimit } from '../../src/client/time-limit.js';
import { until } from '../support/until.js';

setFlagsFromString('--expose-gc');
const tidyUp = runInNewContext('gc') as () => void;

describe('how long a caller waits (S6.1)', () => {
  it('ends in time, also when memory is tidied up meanwhile', async () => {
    let ended = 0;
    for (let count = 0; count < 20; count++) {
      timeLimit(50, new AbortController().signal).signal.addEventListener('abort', () => ended++);
    }
    await until(async () => {
      tidyUp();
      expect(ended).toBe(20);
    });
  });

  it('ends when the caller goes away, and not at all when it is no longer needed', () => {
    const caller = new AbortController();
    const waiting = timeLimit(60_000, caller.signal);
    const done = timeLimit(60_000, caller.signal);
    done.clear();
    caller.abort();
    expect([waiting.signal.aborted, done.signal.aborted]).toEqual([true, false]);
    const late = timeLimit(60_000, caller.signal);
    expect(late.signal.aborted).toBe(true);
    waiting.clear();
    late.clear();
  });
});
