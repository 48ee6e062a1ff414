import type { SSEStreamingApi } from 'hono/streaming';
import { setTimeout as delay } from 'node:timers/promises';
import { Rejected } from '../protocol/errors.js';
import type { ServiceContext } from './context.js';
import type { ServiceSettings } from './settings.js';
import type { StreamSeats } from './stream-seats.js';

/** All that a look at something has found. */
export interface Sight {
  /** Names the sight. Every instance of the service gives the same sight the same id. */
  readonly id: string;
  readonly data: unknown;
  /** Tells whether it will never change again. */
  readonly final: boolean;
}

/** Something that can be followed. */
export interface Followed {
  /** A text that differs from the earlier one when there may be something new to see. */
  revision(): Promise<string>;
  look(): Promise<Sight>;
}

/** Rejections that pass soon: nothing can be seen for a moment. */
const PASSING = new Set(['no_answer', 'absent']);

/**
 * Sends server-sent events. Each is a whole state, and its id says which, so any instance can go on where another one has ended.
 * A state that comes and goes between two looks is not sent.
 */
export class ChangeStreams {
  readonly #settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>;
  readonly #seats: StreamSeats;

  constructor(settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>, seats: StreamSeats) {
    this.#settings = settings;
    this.#seats = seats;
  }

  /**
   * Answers a request to follow something. The answer is 204 when it is over and the caller has seen its end; an `EventSource`
   * does not come again then.
   * @throws ProblemError 429, 503, and whatever looking throws
   */
  async follow(context: ServiceContext, followed: Followed): Promise<Response> {
    return this.#seats.stream(context, async () => {
      const seen = context.req.header('last-event-id');
      const revision = await followed.revision();
      const first = await followed.look();
      if (first.final && first.id === seen) return context.body(null, 204);
      return (stream, signal) => this.#send(stream, followed, { seen, revision, first }, signal);
    });
  }

  async #send(
    stream: SSEStreamingApi,
    followed: Followed,
    start: { readonly seen: string | undefined; readonly revision: string; readonly first: Sight },
    signal: AbortSignal,
  ): Promise<void> {
    const { lookMs, heartbeatMs } = this.#settings;
    const [shortestMs, longestMs] = lookMs;
    let { seen, revision } = start;
    let sight: Sight | undefined = start.first;
    let pauseMs = shortestMs;
    let quietSince = Date.now();
    while (!signal.aborted) {
      if (sight && sight.id !== seen) {
        const event = sight.final ? 'end' : 'change';
        await stream.writeSSE({ event, id: sight.id, data: JSON.stringify(sight.data) });
        seen = sight.id;
        pauseMs = shortestMs;
        quietSince = Date.now();
      }
      if (sight?.final) return;
      if (Date.now() - quietSince >= heartbeatMs) {
        await stream.write(': still here\n\n');
        quietSince = Date.now();
      }
      // The pause is spread, so that many streams do not ask in the same moment.
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 1.5, longestMs);
      sight = undefined;
      try {
        const latest = await followed.revision();
        if (latest === revision) continue;
        sight = await followed.look();
        revision = latest;
      } catch (thrown) {
        if (!(thrown instanceof Rejected) || !PASSING.has(thrown.code)) throw thrown;
      }
    }
  }
}
