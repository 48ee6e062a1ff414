import { describe, expect, it } from 'vitest';
import type { EntityDriver } from '../../src/kernel/run/driver.js';
import { Following } from '../../src/kernel/run/following.js';
import { LiveEntity } from '../../src/kernel/run/live-entity.js';
import { Questions } from '../../src/kernel/run/questions.js';
import type { Stepping } from '../../src/kernel/life/stepping.js';
import { Reception } from '../../src/kernel/life/reception.js';
import { allowedEvents } from '../../src/kernel/index.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';
import { placingBox } from '../support/placing-box.js';

/** Gives what is answered to an event before anything is recorded; nothing when it is taken in. */
function refusal(snapshot: Snapshot, event: string, params: Readonly<Record<string, unknown>> = {}) {
  const live = new LiveEntity(Box, { records: {} } as EntityDriver, { snapshot, effects: [] });
  const reception = new Reception(live, {} as Stepping, new Following(live), new Questions(live));
  return reception.rejectAll([{ id: 'r', event, params }])?.[0];
}

describe('an event is refused before anything is recorded (S2.2)', () => {
  it('where it would find the queue full, so that those who come again and again make no history (full-queue.1)', () => {
    const box = placingBox();
    expect(refusal(box.snapshot, 'relabel', { label: 'y' })).toBeUndefined();
    for (let number = 0; number < 5; number++)
      box.raise('relabel', { label: 'x'.repeat(100_000) }, { id: `large-${number}` });
    const rejected = { status: 'rejected', rejection: { code: 'try_again' } };
    expect(refusal(box.snapshot, 'relabel', { label: 'y'.repeat(100_000) })).toMatchObject(rejected);
  });

  it('and not where it waits for the end of a deployment, as is said of it (S2.6, admit.2)', () => {
    const ending = { id: 'run/Box/k', name: 'lamp', state: 'Placed', phase: 'ending', since: 0 } as const;
    const snapshot: Snapshot = { ...new Puppet(Box).snapshot, deployments: [ending] };
    const behind = "the end of 'lamp', which Placed has deployed";
    expect(allowedEvents(Box, snapshot).find(({ event }) => event === 'look')).toMatchObject({ behind });
    expect(refusal(snapshot, 'look')).toBeUndefined();
  });
});
