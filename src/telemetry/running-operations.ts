import type { Client } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';
import { OPERATION_TYPE, SEARCH_ATTRIBUTES } from '../protocol/names.js';

const RUNNING = `WorkflowType = '${OPERATION_TYPE}' AND ExecutionStatus = 'Running'`;
const HUNG = `${RUNNING} AND ${SEARCH_ATTRIBUTES.outcome} = 'hung'`;

/**
 * Measures how many operations run, and how many of them are hung, as Temporal counts them. Every instance has the same numbers,
 * so take the maximum and not the sum. When Temporal does not answer, there is no value. S5.5
 */
export function measureRunningOperations(registry: Registry, client: Client): void {
  const gauge = (name: string, help: string, query: string) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counted = await client
          .withDeadline(Date.now() + ANSWERED_WITHIN_MS, () => client.workflow.count(query))
          .catch(() => undefined);
        if (counted) this.set(counted.count);
        else this.remove();
      },
    });
  gauge('reeve_operations_running', 'Operations that run, hung ones included.', RUNNING);
  gauge('reeve_operations_hung', 'Operations that run past their budget.', HUNG);
}

/** How long a scrape waits for Temporal: it must not wait for a service that is away. */
const ANSWERED_WITHIN_MS = 2_000;
