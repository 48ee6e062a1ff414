import { distributedWorkflowId } from '../../protocol/distributed-names.js';
import { DEPLOYMENT, deploymentWorkflowId, operationWorkflowId } from '../../protocol/names.js';
import { always, maybe } from './column.js';
import { table } from './view.js';

/**
 * The workflow to which a row leads: that of an operation, where it has one, or else of an entity or a deployment. The jobs of an operation
 * over partitions have none, and lead to that of its instance. S5.6
 */
export const executions = {
  name: 'executions',
  columns: {
    level: always('text', 'x.level'),
    // The operation id or the event id.
    id: maybe('integer', 'x.id'),
    // Of an entity; a deployment has a type of its own, as in the names of workflows.
    type: maybe('text', 'x.type'),
    key: maybe('text', 'x.key'),
    workflow_id: always('text', 'x.workflow_id'),
  },
  from: `(
    select 'operation' as level, operation_id as id, null as type, null as key,
        coalesce(settled_on, '${operationWorkflowId('')}' || request_id) as workflow_id from ${table('operations')}
    union all
    select 'event', event_id, null, null, coalesce(
          (select '${distributedWorkflowId('')}' || max(name) from ${table('distributed_operations')} where request_id = operation),
          type || '/' || key) from ${table('events')}
    union all
    select 'entity', null, type, key, type || '/' || key from ${table('entities')}
    union all
    select 'entity', null, '${DEPLOYMENT}', name, '${deploymentWorkflowId('')}' || name from ${table('deployments')}
  ) x`,
  key: ['level', 'id'],
} as const;
