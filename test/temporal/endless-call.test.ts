import { expect, it } from 'vitest';
import { UnfinishedWorkError } from '../../src/temporal/unfinished-work.js';
import { Box } from '../entities/box.js';
import { startBoxService } from '../support/box-service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

it('a worker that is stopped says so when a call does not end, and another one makes the call (S4.1)', async () => {
  const shelf = new Shelf();
  const service = await startBoxService(shelf);
  try {
    const gate = shelf.hold('endless');
    const taken = await service.reeve.create(Box, 'endless', 'place', { label: 'x' });
    await until(async () => expect(shelf.keys.get('endless')).toHaveLength(1));
    await expect(service.stopWorker()).rejects.toThrow(UnfinishedWorkError);
    gate.open();
    await service.startWorker();
    expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
  } finally {
    await service.close();
  }
});
