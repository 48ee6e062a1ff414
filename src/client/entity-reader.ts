import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { Rejected } from '../protocol/errors.js';
import { entityId, SNAPSHOT_QUERY, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** An entity as its workflow tells it. */
export interface EntityReading {
  readonly snapshot: Snapshot;
  /** It was deleted, and reads as gone. S1.3 */
  readonly gone: boolean;
}

/** Reads entities from their workflows, which are the truth. S5.2 */
export class EntityReader {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws Rejected `absent` */
  async read(ref: EntityRef): Promise<EntityReading> {
    const handle = this.#client.workflow.getHandle(entityId(ref));
    try {
      const snapshot = await handle.query<Snapshot>(SNAPSHOT_QUERY);
      const { status } = await handle.describe();
      return { snapshot, gone: status.name !== 'RUNNING' };
    } catch (thrown) {
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
      const message = `${entityId(ref)} does not exist. Create it first, or check the key.`;
      throw new Rejected({ code: 'absent', message, entity: entityId(ref), event: '' });
    }
  }
}
