import { describe, expect, it } from 'vitest';
import { CallFailed } from '../../src/definition/action-errors.js';
import type { AnyImplementation } from '../../src/definition/actions.js';
import { beginStep, endStep, queueSteps, unqueueSteps } from '../../src/kernel/callbacks/call-steps.js';
import type { CallStep } from '../../src/protocol/call-step.js';
import type { TransitionRecord } from '../../src/protocol/records.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { order } from '../entities/order.js';
import { box } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const place = { id: 'place-id', event: 'place', params: { label: 'x' } };
const running = { running: { action: 'install', kind: 'automatic', startedAt: 0 } } as unknown as Snapshot;
const call = (place: number) => ({ place, call: 'things.make', mode: 'activity' }) as const;
const stepsOf = ({ running }: Snapshot): readonly CallStep[] => running?.calls?.steps ?? [];

describe('the calls of an action', () => {
  it('are steps with their beginning, end and error, which go along with the transition (A2)', async () => {
    const entity = new LoneEntity(box, { kind: 'create', key: 'k', request: place });
    await entity.calm();
    const { now } = entity;
    const begun = { place: 1, call: 'shelf.put', mode: 'activity', startedAt: now };
    expect(stepsOf(entity.snapshot)).toEqual([begun]);
    await entity.pass(40);
    entity.calls[0]!.answer({ output: { place: 3 }, restarts: 1 });
    await entity.calm();
    expect(entity.snapshot.running).toBeUndefined();
    expect(transitions(entity).at(-1)?.calls).toEqual([{ ...begun, endedAt: now + 40, restarts: 1 }]);
  });

  it('tell why they have failed, and another attempt begins anew (A2, S3.5)', async () => {
    const entity = new LoneEntity(box, { kind: 'create', key: 'k', request: place });
    await entity.calm();
    entity.calls.splice(0)[0]!.fail(new CallFailed('shelf.put', 'full', 'm'.repeat(900), 1));
    await entity.calm();
    const error = { code: 'full', message: `${'m'.repeat(300)}... (600 more characters)` };
    const calls = [{ call: 'shelf.put', error, restarts: 1 }];
    expect(transitions(entity).at(-1)).toMatchObject({ outcome: 'failed', calls });
    await entity.pass(60_000);
    expect(stepsOf(entity.snapshot)).toEqual([
      { place: 1, call: 'shelf.put', mode: 'activity', startedAt: entity.now },
    ]);
  });

  it('end with the answer of a worker that does by itself what was to be asked outside (A7)', async () => {
    const request = { id: 'order-id', event: 'place', params: { amount: 5 } };
    const entity = new LoneEntity(order as AnyImplementation, { kind: 'create', key: 'k', request });
    await entity.calm();
    entity.calls.shift()!.answer({ output: { by: 'machine' }, restarts: 0 });
    await entity.calm();
    // The next call is made with what it has answered.
    expect(entity.calls).toMatchObject([{ activity: 'approvals.book', input: { by: 'machine' } }]);
    expect(stepsOf(entity.snapshot)).toMatchObject([{ call: 'approvals.ask', endedAt: entity.now }, { place: 2 }]);
  });

  it('tell how often the provider had to be asked again whose answer comes from outside (A2, call-steps.3)', async () => {
    const request = { id: 'order-id', event: 'place', params: { amount: 5 } };
    const entity = new LoneEntity(order as AnyImplementation, { kind: 'create', key: 'k', request });
    await entity.calm();
    entity.calls.shift()!.answer({ restarts: 2 });
    await entity.calm();
    expect(stepsOf(entity.snapshot)).toMatchObject([{ call: 'approvals.ask', mode: 'callback', restarts: 2 }]);
    expect(entity.snapshot.engagements).toMatchObject([{ id: 'order-id', restarts: 2 }]);
  });

  it('are listed up to a number, the latest ones and those under way; the others are counted (A2, call-steps.1)', () => {
    let snapshot = running;
    for (let n = 1; n <= 130; n++) {
      snapshot = beginStep(snapshot, call(n), n);
      if (n > 20) snapshot = endStep(snapshot, n, n);
    }
    const listed = stepsOf(snapshot).map((step) => step.place);
    expect(listed).toHaveLength(100);
    expect(listed.slice(0, 21)).toEqual([...Array.from({ length: 20 }, (_, n) => n + 1), 51]);
    expect(listed.at(-1)).toBe(130);
    expect(snapshot.running?.calls?.omitted).toBe(30);
    for (let n = 0; n < 100; n++) snapshot = beginStep(n === 0 ? running : snapshot, call(n), n);
    const full = beginStep(snapshot, call(100), 100);
    expect(stepsOf(full)).toHaveLength(100);
    expect(full.running?.calls?.omitted).toBe(1);
    expect(endStep(full, 100, 101).running?.calls).toEqual(full.running?.calls);
  });

  it('go on in another run, where collectors begin anew (A1, A3, call-steps.2)', () => {
    const asked = queueSteps(beginStep(running, call(1), 5), 7);
    expect(asked.running?.calls?.queued).toBe(7);
    const resumed = beginStep(unqueueSteps(asked), call(1), 99);
    expect(resumed.running?.calls).toEqual({ steps: [{ ...call(1), startedAt: 5 }] });
    expect(queueSteps(queueSteps(running, 3), -3).running?.calls).toEqual({ steps: [] });
  });

  it('are none where no action runs (A2)', () => {
    const idle = {} as Snapshot;
    expect(beginStep(idle, call(1), 0)).toBe(idle);
    expect(endStep(idle, 1, 0)).toBe(idle);
  });
});

function transitions(entity: LoneEntity): readonly TransitionRecord[] {
  return entity.offered.flatMap((record) => (record.kind === 'transition' ? [record] : []));
}
