import { WorkflowNotFoundError, type Client } from '@temporalio/client';

/** How many are ended at a time. */
const AT_ONCE = 50;

/** The workflows of valves that were made, so that they can be ended together. */
export class Valves {
  readonly #client: Client;
  readonly #ids = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  add(workflowId: string): string {
    this.#ids.add(workflowId);
    return workflowId;
  }

  /** Ends all of them, even those for which callers still wait. */
  async end(): Promise<void> {
    const ids = [...this.#ids];
    this.#ids.clear();
    while (ids.length > 0) await Promise.all(ids.splice(0, AT_ONCE).map((id) => this.#terminate(id)));
  }

  async #terminate(id: string): Promise<void> {
    try {
      await this.#client.workflow.getHandle(id).terminate('measured');
    } catch (thrown) {
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
    }
  }
}
