import { levelModels } from '../../src/service/lists/level-models.js';
import { visibleRows } from '../../src/service/lists/visible-rows.js';
import { PageQuery, parseQuery } from '../../src/service/odata/index.js';
import type { Random } from '../../src/simulation/random.js';
import type { StoreViews } from '../../src/store/index.js';
import type { List } from './lists.js';
import { DIMENSIONS, TENANTS, TYPES } from './past.js';

const PAGE = 50;
const MODELS = levelModels(DIMENSIONS);

/** A day of the time that `store:fill` fills. */
const day = (random: Random) => `2026-06-${String(2 + random.below(27)).padStart(2, '0')}`;

/** The lists that the service gives to an actor of a tenant. The tenant may be large or small. S6.2, S6.5 */
export const TENANT_LISTS: readonly List[] = [
  list('operations', 'latest', () => ({ $orderby: 'operation_id desc' })),
  list('operations', 'failed', () => ({ $filter: `outcome eq 'failed'`, $orderby: 'operation_id desc' })),
  list('operations', 'running', () => ({ $filter: 'outcome eq null', $orderby: 'operation_id desc' })),
  list('operations', 'by dimension', (random) => ({ $filter: `data_cluster_id eq 'cluster-${random.below(25)}'` })),
  list('operations', 'since a day', (random) => ({ $filter: `workflow_start_time ge ${day(random)}` })),
  list('operations', 'with their events', () => ({ $orderby: 'operation_id desc', $expand: 'events' })),
  list('state_machine_events', 'latest', () => ({ $orderby: 'event_id desc' })),
  list('state_machine_events', 'of a type and event', () => ({
    $filter: `state_machine_type eq 'SqlApplication' and event eq 'scale'`,
  })),
  list('state_machine_events', 'in an error state', () => ({ $filter: 'error_end_state', $orderby: 'event_id desc' })),
  list('state_machine_events', 'since a day', (random) => ({ $filter: `start_time ge ${day(random)}` })),
  list('state_machine_transitions', 'latest', () => ({ $orderby: 'transition_time desc' })),
  list('state_machine_transitions', 'by end state', () => ({ $filter: `end_state eq 'Failed'` })),
  list('state_machine_transitions', 'by action', () => ({ $filter: `action_name eq 'step4'` })),
  list('state_machine_transitions', 'since a day', (random) => ({ $filter: `transition_time ge ${day(random)}` })),
  list('entities', 'all', () => ({})),
  list('entities', 'by state', () => ({ $filter: `state eq 'Failed'` })),
  list('entities', 'by dimension', (random) => ({ $filter: `data_cluster_id eq 'cluster-${random.below(25)}'` })),
  list('workflow_errors', 'all', () => ({})),
];

function list(
  view: keyof StoreViews,
  name: string,
  options: (random: Random) => Readonly<Record<string, string>>,
): List {
  return {
    name: `a tenant's ${view} ${name}`,
    async page(reader, random, after) {
      const tenant = `tenant-${random.below(TENANTS)}`;
      const $skiptoken = after?.['next'];
      if (after && typeof $skiptoken !== 'string') return [];
      const query = parseQuery(
        { ...options(random), ...(typeof $skiptoken === 'string' && { $skiptoken }) },
        MODELS[view],
      );
      const rows = visibleRows(
        { types: TYPES, components: [], distributed: [], tenant, everything: false },
        DIMENSIONS,
      );
      const page = new PageQuery(query, { rows, maxRows: PAGE, maxExpanded: PAGE });
      const { items, nextSkipToken } = page.page((await page.select().execute(reader)).rows);
      return items.map((item) => ({ ...item, next: nextSkipToken }));
    },
  };
}
