import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { timeLimit } from '../client/time-limit.js';
import type { ServiceContext } from './context.js';
import { ProblemError } from './problem.js';
import type { ServiceSettings } from './settings.js';

const LATER = { 'Retry-After': '5' };

/** Sends the events of a stream, until the signal ends it. */
export type SendEvents = (stream: SSEStreamingApi, signal: AbortSignal) => Promise<void>;

/** The open streams of an instance: they are counted, of all callers and of each, and end with it. */
export class StreamSeats {
  readonly #settings: Pick<ServiceSettings, 'streams' | 'streamsOfCaller'>;
  readonly #end = new AbortController();
  #open = 0;
  /** The number of open streams of each caller. */
  readonly #openOf = new Map<string, number>();

  constructor(settings: Pick<ServiceSettings, 'streams' | 'streamsOfCaller'>) {
    this.#settings = settings;
  }

  /** Ends all streams. Their clients go on at another instance. */
  close(): void {
    this.#end.abort();
  }

  /**
   * Answers with a stream of server-sent events.
   * @param open looks first; gives what sends the events until the signal ends it, or another answer than a stream
   * @throws ProblemError 429, 503, and what opening throws
   */
  async stream(context: ServiceContext, open: () => Promise<SendEvents | Response>): Promise<Response> {
    const leave = this.#take(context);
    let streaming = false;
    try {
      const send = await open();
      if (send instanceof Response) return send;
      context.header('X-Accel-Buffering', 'no');
      streaming = true;
      return streamSSE(context, async (stream) => {
        // The stream ends when the credentials do, so that its client shows again who it is. S6.5
        const expiry = timeLimit(context.var.guard.credentials.until - Date.now());
        const closed = new AbortController();
        stream.onAbort(() => closed.abort());
        try {
          await stream.write('retry: 1000\n\n');
          await send(stream, AbortSignal.any([closed.signal, this.#end.signal, expiry.signal]));
        } catch (thrown) {
          context.var.log.warn({ err: thrown }, 'a change stream ended early');
        } finally {
          expiry.clear();
          leave();
        }
      });
    } finally {
      if (!streaming) leave();
    }
  }

  /**
   * Counts one more stream, already before its first look, since many looks at once are too many as well.
   * @returns what ends it
   * @throws ProblemError 429, 503
   */
  #take(context: ServiceContext): () => void {
    const { tenant, subject } = context.var.guard.credentials.actor;
    const caller = JSON.stringify([tenant, subject]);
    if (this.#end.signal.aborted) {
      throw new ProblemError('stopping', 'This instance stops. Ask again: another one answers.', {}, LATER);
    }
    if (this.#open >= this.#settings.streams) {
      throw tooMany(
        `This instance has ${this.#open} open change streams, its maximum. Try again later, or use another instance.`,
      );
    }
    const own = this.#openOf.get(caller) ?? 0;
    // Callers who have many leave as many to others, so that no few of them hold all: the first one half, the second one a quarter, ...
    const left = this.#settings.streams - this.#open;
    if (own >= this.#settings.streamsOfCaller || (own > 0 && own >= left - 1)) {
      throw tooMany(
        `You have ${own} open change streams at this instance, the maximum for you now. Close one of them first.`,
      );
    }
    this.#count(caller, 1);
    return () => this.#count(caller, -1);
  }

  #count(caller: string, change: 1 | -1): void {
    const own = (this.#openOf.get(caller) ?? 0) + change;
    if (own === 0) this.#openOf.delete(caller);
    else this.#openOf.set(caller, own);
    this.#open += change;
  }
}

function tooMany(message: string): ProblemError {
  return new ProblemError('too_many_streams', message, {}, LATER);
}
