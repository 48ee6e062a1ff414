import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { Rejected } from '../protocol/errors.js';
import { entityId, SNAPSHOT_QUERY, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** An entity as its workflow tells it. */
export interface EntityReading {
  readonly snapshot: Snapshot;
  /** It was deleted, and reads as gone. S1.3 */
  readonly gone: boolean;
}

const ANSWERS_WITHIN_MS = 5_000;
/** gRPC status codes: the service had no answer in time, or has no worker to ask. */
const NO_ANSWER = new Set([1, 4, 9, 14]);

/** Reads entities from their workflows, which are the truth. S5.2 */
export class EntityReader {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws Rejected `absent`, or `no_worker` when nobody answers for the entity at the moment */
  async read(ref: EntityRef): Promise<EntityReading> {
    const handle = this.#client.workflow.getHandle(entityId(ref));
    try {
      return await this.#client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, async () => {
        const snapshot = await handle.query<Snapshot>(SNAPSHOT_QUERY);
        const { status } = await handle.describe();
        return { snapshot, gone: status.name !== 'RUNNING' };
      });
    } catch (thrown) {
      const entity = entityId(ref);
      if (thrown instanceof WorkflowNotFoundError) {
        const message = `${entity} does not exist. Create it first, or check the key.`;
        throw new Rejected({ code: 'absent', message, entity, event: '' });
      }
      if (hasNoAnswer(thrown)) {
        const message = `No worker answers for ${entity}. Start one, or wait until it is back.`;
        throw new Rejected({ code: 'no_worker', message, entity, event: '' });
      }
      throw thrown;
    }
  }
}

function hasNoAnswer(thrown: unknown): boolean {
  const cause = thrown instanceof Error && isGrpcServiceError(thrown.cause) ? thrown.cause : thrown;
  return isGrpcServiceError(cause) && NO_ANSWER.has(cause.code);
}
