import { describe, expect, it } from 'vitest';
import { EVERYBODY } from '../../src/client/explain/audience.js';
import { withErrorCauses } from '../../src/client/explain/error-causes.js';
import type { Explanation } from '../../src/client/explain/explanation.js';
import type { OperationReading } from '../../src/client/operation-reading.js';
import { Rejected } from '../../src/protocol/errors.js';

const room = { kind: 'entity', entity: 'Room/r', state: 'Failed', health: 'error', settled: true, enteredIn: 'op-1' };
const explanation = { at: 1, entities: [room], starved: [], stuck: [] } as unknown as Explanation;
const error = { entity: 'Box/x', event: 'create', code: 'disk_full', message: 'No space is left.' };
const ended = { state: 'ended', result: { errors: [error] } } as unknown as OperationReading;

describe('an entity that others have led to an error state (S5.4)', () => {
  it('is explained with the errors of the operation that led there', async () => {
    const read = async (id: string) => {
      expect(id).toBe('op-1');
      return ended;
    };
    expect((await withErrorCauses(explanation, read, EVERYBODY)).entities).toEqual([{ ...room, causes: [error] }]);
  });

  it('is explained without errors of entities that the audience may not see (S6.5)', async () => {
    const audience = { everything: false, shows: async () => false };
    expect(await withErrorCauses(explanation, async () => ended, audience)).toEqual(explanation);
  });

  it('is explained without them where the operation is gone', async () => {
    const gone = async () => {
      throw new Rejected({ code: 'absent', message: 'There is no operation op-1.', entity: 'op/op-1', event: '' });
    };
    expect(await withErrorCauses(explanation, gone, EVERYBODY)).toEqual(explanation);
  });
});
