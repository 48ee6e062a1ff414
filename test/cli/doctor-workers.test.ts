import { expect, it } from 'vitest';
import { workerFindings } from '../../src/cli/doctor/workers.js';

const NOW = 1_000_000_000;
const beat = (workerIdentity: string, taskQueue: string, secondsAgo: number, calls: number, status = 1) =>
  ({
    ...{ workerIdentity, taskQueue, status, heartbeatTime: { seconds: (NOW - secondsAgo * 1_000) / 1_000 } },
    activityTaskSlotsInfo: { currentUsedSlots: calls },
    ...(taskQueue === 'bank' && { deploymentVersion: { deploymentName: 'bank', buildId: '4f1c' } }),
  }) as never;

it('doctor shows how many calls each worker makes, by the identity that explain names (S5.4)', () => {
  const beats = [
    beat('7@a', 'bank', 12, 1),
    beat('8@b', 'bank/place/west', 3, 4),
    beat('ended@a', 'bank', 3, 1, 3),
    beat('killed@a', 'bank', 600, 1),
    beat('other@a', 'banking', 3, 1),
  ];
  expect(workerFindings(beats, 'bank', NOW).map(({ says }) => says)).toEqual([
    "7@a of build '4f1c' ran 1 call 12 s ago",
    "8@b, on 'bank/place/west' ran 4 calls 3 s ago",
  ]);
  const many = Array.from({ length: 22 }, (_, at) => beat(`${at}@a`, 'bank', 1, 0));
  expect(workerFindings(many, 'bank', NOW).map(({ says }) => says)).toHaveLength(21);
});
