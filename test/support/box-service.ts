import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from './service.js';
import type { Shelf } from './shelf.js';

/** A real Temporal service with a worker for boxes and rooms. */
export function startBoxService(shelf: Shelf): Promise<TestService> {
  return startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
}
