import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, Room } from '../entities/box.js';
import { Candle } from '../entities/candle.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;
const shelf = new Shelf();

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/timed-workflows.ts',
    declarations: ['entities/box.ts', 'entities/candle.ts'],
    entities: [Box, Room, Candle],
    resources: [shelf.resource],
  });
});
afterAll(() => service.close());

const read = async (type: string, key: string) => (await service.reeve.read({ type, key })).snapshot;
const terminate = (id: string) => service.environment.client.workflow.getHandle(id).terminate('by an operator');

describe('time on a real service', () => {
  it('ticks while an event is valid, and ends at the deadline, outside of any operation (S4.5)', async () => {
    const taken = await service.reeve.create(Candle, 'one', 'light');
    expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
    await until(async () => expect((await read('Candle', 'one')).state).toBe('Out'));
    const { properties, bornAt, enteredAt, version } = await read('Candle', 'one');
    expect(enteredAt - bornAt).toBeGreaterThanOrEqual(6_000);
    expect(properties['flickers']).toBeGreaterThanOrEqual(1);
    expect(properties['flickers']).toBeLessThanOrEqual(15);
    // Lit, flickered, gone out: nothing ticks any more.
    expect(version).toBe(2 + Number(properties['flickers']));
  });

  it('ends what waits for too long, as part of the operation that waits (S4.2, S4.3)', async () => {
    const taken = await service.reeve.create(Candle, 'lonely', 'wait');
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'failed',
      participants: [{ key: 'lonely', state: 'Out' }],
      errors: [{ entity: 'Candle/lonely', code: 'error_state' }],
    });
  });
});

describe('a successor that an operator terminates (S4.4)', () => {
  it('is seen as lost: the subscription of its parent fires, and the operation ends', async () => {
    const gate = shelf.hold('doomed');
    const taken = await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['doomed', 'fine'] });
    await until(async () => expect(shelf.keys.get('doomed')).toHaveLength(1));
    await terminate('Box/doomed');
    gate.open();
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'failed',
      errors: [{ entity: 'Box/doomed', code: 'lost' }],
    });
    const { state, successors } = await read('Room', 'hall');
    expect(state).toBe('Failed');
    expect(successors.find(({ key }) => key === 'doomed')?.outcome).toMatchObject({ lost: true, health: 'error' });
  });

  it('is lost too when its key has been used again in the meantime', async () => {
    const gate = shelf.hold('reused');
    const taken = await service.reeve.create(Room, 'attic', 'furnish', { boxes: ['reused'] });
    await until(async () => expect(shelf.keys.get('reused')).toHaveLength(1));
    await terminate('Box/reused');
    gate.open();
    const again = await service.reeve.create(Box, 'reused', 'place', { label: 'of somebody else' });
    expect(await service.reeve.operations.result(again)).toMatchObject({ outcome: 'success' });
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'failed',
      errors: [{ entity: 'Box/reused', code: 'lost' }],
    });
  });

  it('is not taken for lost while it works for long', async () => {
    const gate = shelf.hold('slow');
    const taken = await service.reeve.create(Room, 'cellar', 'furnish', { boxes: ['slow'] });
    await until(async () => expect((await read('Room', 'cellar')).look?.count).toBeGreaterThanOrEqual(3));
    gate.open();
    expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'success', errors: [] });
  });
});
