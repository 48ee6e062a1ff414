import { setTimeout as delay } from 'node:timers/promises';
import { ResourceError } from '../../src/protocol/errors.js';
import type { CallContext } from '../../src/temporal/resources.js';
import { readHostFile } from './host-file.js';
import { OPERATION_HEADER } from './working-for.js';

const CONNECTS_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** The operation that a request is for, and the signal that ends it. */
type Asker = Partial<Pick<CallContext, 'signal' | 'operation'>>;

/** Asks the resource host of a data directory. */
export class HostClient {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Sends one request. While the host is not there, it tries for up to 5 s.
   * @throws ResourceError with the host's code, or `host_unreachable`
   */
  async request<Answer>(method: string, path: readonly string[], body?: unknown, asker: Asker = {}): Promise<Answer> {
    const until = Date.now() + CONNECTS_WITHIN_MS;
    for (;;) {
      const answer = await this.#try(method, path, body, asker);
      if (answer) return this.#read(answer);
      if (Date.now() > until || asker.signal?.aborted) {
        const message = `The resource host of ${this.#home} cannot be reached. Start it with 'npm start'.`;
        throw new ResourceError('host_unreachable', message);
      }
      await delay(LOOK_EVERY_MS);
    }
  }

  async #try(method: string, path: readonly string[], body: unknown, { signal, operation }: Asker) {
    // The file is read each time, since the host may have been started anew, on another port.
    const host = await readHostFile(this.#home);
    if (!host) return undefined;
    try {
      return await fetch(`${host.url}/${path.map(encodeURIComponent).join('/')}`, {
        method,
        headers: {
          authorization: `Bearer ${host.token}`,
          'content-type': 'application/json',
          ...(operation !== undefined && { [OPERATION_HEADER]: encodeURIComponent(operation) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (thrown) {
      // fetch throws this for a connection that was refused or broke. All requests can be repeated.
      if (thrown instanceof TypeError) return undefined;
      throw thrown;
    }
  }

  async #read<Answer>(response: Response): Promise<Answer> {
    const answer = (await response.json()) as Answer & { readonly code?: string; readonly message?: string };
    if (response.ok) return answer;
    throw new ResourceError(answer.code ?? 'provider_failed', answer.message ?? response.statusText);
  }
}
