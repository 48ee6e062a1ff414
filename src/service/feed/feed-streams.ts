import type { SSEStreamingApi } from 'hono/streaming';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from '../context.js';
import type { ServiceSettings } from '../settings.js';
import type { StreamSeats } from '../stream-seats.js';
import type { FeedReader } from './feed-reader.js';

/** How many changes are read at once, and the longest pause between two reads, in milliseconds. */
const AT_ONCE = 500;
const LONGEST_PAUSE_MS = 1_000;

/** Sends the feed as server-sent events, each with its position as its id. A6 */
export class FeedStreams {
  readonly #settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>;
  readonly #seats: StreamSeats;

  constructor(settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>, seats: StreamSeats) {
    this.#settings = settings;
    this.#seats = seats;
  }

  /**
   * Answers with the changes as they come.
   * @param noted is told now and then how far it has come
   * @throws ProblemError 429, 503, and what opening throws
   */
  async follow(
    context: ServiceContext,
    open: () => Promise<FeedReader>,
    noted: (reader: FeedReader) => void,
  ): Promise<Response> {
    return this.#seats.stream(context, async () => {
      const reader = await open();
      return (stream, signal) => this.#send(stream, reader, noted, signal);
    });
  }

  async #send(
    stream: SSEStreamingApi,
    reader: FeedReader,
    noted: (reader: FeedReader) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const [shortestMs, longestMs] = this.#settings.lookMs;
    let pauseMs = shortestMs;
    let told = reader.position;
    let quietSince = Date.now();
    while (!signal.aborted) {
      noted(reader);
      const { items, more } = await reader.read(AT_ONCE);
      for (const item of items) {
        if (signal.aborted) return;
        await stream.writeSSE({ event: 'change', id: item.position, data: JSON.stringify(item) });
        told = item.position;
      }
      if (items.length > 0) [pauseMs, quietSince] = [shortestMs, Date.now()];
      if (more) continue;
      if (Date.now() - quietSince >= this.#settings.heartbeatMs) {
        // Without data, it is no event, but the client goes on after this position when it comes again.
        const { position } = reader;
        await stream.write(position === told ? ': still here\n\n' : `id: ${position}\n\n`);
        [told, quietSince] = [position, Date.now()];
      }
      // The pause is spread, so that many streams do not ask in the same moment.
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 1.5, longestMs, LONGEST_PAUSE_MS);
    }
  }
}
