import type { DistributedOperationLogic } from '../../src/distributed/index.js';
import { buildIndexLogic } from './build-index.js';
import type { Sessions } from './sessions.js';
import type { TablePlaces } from './table-places.js';
import { validateLogic } from './validate.js';

/** The operations on tables with their code. I7 */
export function tableLogics(places: TablePlaces, sessions: Sessions): readonly DistributedOperationLogic[] {
  return [buildIndexLogic(places, sessions), validateLogic(places, sessions)];
}
