import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostClient } from '../activities/host/client.js';
import type { ReeveClient } from '../src/client/client.js';
import { Rejected } from '../src/protocol/errors.js';
import { Alias } from '../workflows/alias/definition.js';

export interface AliasWatchOptions {
  readonly host: HostClient;
  readonly reeve: ReeveClient;
  readonly log: Pick<Logger, 'warn'>;
  /** The pause between two looks, in milliseconds. Default 5 s. */
  readonly everyMs?: number;
}

/** Inspects aliases that listen nowhere, so that they show it, and listen again as soon as their address is free. S6.4 */
export class AliasWatch {
  readonly #options: AliasWatchOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: AliasWatchOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, everyMs = 5_000 } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // The host or Temporal may be away. The next look will find these aliases then.
      await this.#look().catch((thrown: unknown) => {
        if (!signal.aborted) log.warn({ err: thrown }, 'the aliases that listen nowhere could not be found');
      });
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { host, reeve } = this.#options;
    const path = ['aliases'];
    const { signal } = this.#stopping;
    const { unbound } = await host.request<{ readonly unbound: readonly string[] }>('GET', path, undefined, { signal });
    for (const name of unbound) {
      await reeve.raise(Alias, name, 'inspect').catch((thrown: unknown) => {
        // Something else is done to it already, or it is gone.
        if (!(thrown instanceof Rejected)) throw thrown;
      });
    }
  }
}
