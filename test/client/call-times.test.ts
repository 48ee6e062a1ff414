import { expect, it } from 'vitest';
import { callTimes } from '../../src/client/explain/call-times.js';

const at = (seconds: number) => ({ seconds: seconds as never, nanos: 0 });
const NOW = 100_000;

it.each([
  ['one that is queued', { scheduledTime: at(90) }, 'queued', { since: 90_000 }],
  ['one that runs', { lastStartedTime: at(99) }, 'running', { since: 99_000, startedAt: 99_000 }],
  [
    'one that runs again, before its first heartbeat',
    { lastStartedTime: at(99), lastHeartbeatTime: at(77) },
    'running',
    { since: 99_000, startedAt: 99_000 },
  ],
  [
    'one that has sent a heartbeat',
    { lastStartedTime: at(77), lastHeartbeatTime: at(99) },
    'running',
    { since: 77_000, startedAt: 77_000, heartbeatAt: 99_000 },
  ],
  ['one that is paused', { pauseInfo: { pauseTime: at(80) } }, 'paused', { since: 80_000 }],
  ['one of which no time is shown', {}, 'queued', { since: NOW }],
] as const)('the times of %s are its own (S5.4)', (_, shown, state, times) => {
  expect(callTimes(shown, state === 'running', NOW)).toEqual(times);
});
