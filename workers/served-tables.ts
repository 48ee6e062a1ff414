import { tableLogics } from '../activities/tables/logics.js';
import type { HostClient } from '../activities/host/client.js';
import { Sessions } from '../activities/tables/sessions.js';
import { placementOf, type TablePlaces } from '../activities/tables/table-places.js';
import type { ServedOperations } from '../src/temporal/distributed/activities.js';

/** The operations on tables, for a worker that serves them. I7 */
export function servedTables(places: TablePlaces, host: HostClient): ServedOperations {
  return {
    operations: tableLogics(places, new Sessions(host)),
    targets: {
      placement: async (target) => {
        const table = await places.find(target);
        return table && placementOf(table);
      },
    },
  };
}
