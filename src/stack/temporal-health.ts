import { Connection } from '@temporalio/client';
import type { ServiceLocation } from './service.js';

const ANSWERS_WITHIN_MS = 2_000;

/** Asks a Temporal service for its namespace. @throws when it does not answer, or has no such namespace */
export async function askTemporal(
  { connectionOptions, namespace }: Pick<ServiceLocation, 'connectionOptions' | 'namespace'>,
  withinMs = ANSWERS_WITHIN_MS,
): Promise<void> {
  const connection = await Connection.connect({ ...connectionOptions, connectTimeout: withinMs });
  try {
    await connection.withDeadline(Date.now() + withinMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}
