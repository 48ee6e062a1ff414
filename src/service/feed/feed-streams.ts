import { streamSSE } from 'hono/streaming';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from '../context.js';
import { ProblemError } from '../problem.js';
import type { ServiceSettings } from '../settings.js';
import type { StreamSeats } from '../stream-seats.js';
import { timeLimit } from '../time-limit.js';
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
    const leave = this.#seats.take(context);
    let streaming = false;
    try {
      const reader = await open();
      context.header('X-Accel-Buffering', 'no');
      streaming = true;
      return streamSSE(context, async (stream) => {
        // The stream ends when the credentials do, so that its client shows again who it is. S6.5
        const expiry = timeLimit(context.var.guard.credentials.until - Date.now());
        const closed = new AbortController();
        stream.onAbort(() => closed.abort());
        const signal = AbortSignal.any([closed.signal, this.#seats.end, expiry.signal]);
        try {
          await this.#send(stream, reader, noted, signal);
        } catch (thrown) {
          // Its client comes again, and is told then what is wrong.
          if (!(thrown instanceof ProblemError))
            context.var.log.warn({ err: thrown }, 'a stream of the feed ended early');
        } finally {
          expiry.clear();
          leave();
        }
      });
    } finally {
      if (!streaming) leave();
    }
  }

  async #send(
    stream: Parameters<Parameters<typeof streamSSE>[1]>[0],
    reader: FeedReader,
    noted: (reader: FeedReader) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const [shortestMs, longestMs] = this.#settings.lookMs;
    let pauseMs = shortestMs;
    let told = reader.position;
    let quietSince = Date.now();
    await stream.write('retry: 1000\n\n');
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
