import { tableLogics } from '../activities/tables/logics.js';
import type { Sessions } from '../activities/tables/sessions.js';
import { placementOf, type TablePlaces } from '../activities/tables/table-places.js';
import type { ServedOperations } from '../src/temporal/distributed/activities.js';

/** The operations on tables, for a worker that serves them. I7 */
export function servedTables(places: TablePlaces, sessions: Sessions): ServedOperations {
  return {
    operations: tableLogics(places, sessions),
    targets: {
      placement: async (target) => {
        const table = await places.find(target);
        return table && placementOf(table);
      },
    },
  };
}
