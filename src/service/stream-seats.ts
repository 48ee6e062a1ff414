import type { ServiceContext } from './context.js';
import { ProblemError } from './problem.js';
import type { ServiceSettings } from './settings.js';

const LATER = { 'Retry-After': '5' };

/** Counts the open streams of an instance: of all callers, and of each. */
export class StreamSeats {
  readonly #settings: Pick<ServiceSettings, 'streams' | 'streamsOfCaller'>;
  readonly #end = new AbortController();
  #open = 0;
  /** The number of open streams of each caller. */
  readonly #openOf = new Map<string, number>();

  constructor(settings: Pick<ServiceSettings, 'streams' | 'streamsOfCaller'>) {
    this.#settings = settings;
  }

  /** The number of open streams. */
  get open(): number {
    return this.#open;
  }

  /** Is aborted when the instance stops. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends all streams. Their clients go on at another instance. */
  close(): void {
    this.#end.abort();
  }

  /**
   * Counts one more stream, already before its first look, since many looks at once are too many as well.
   * @returns what ends it
   * @throws ProblemError 429, 503
   */
  take(context: ServiceContext): () => void {
    const { tenant, subject } = context.var.guard.credentials.actor;
    const caller = JSON.stringify([tenant, subject]);
    if (this.#end.signal.aborted) {
      throw new ProblemError(503, 'stopping', 'This instance stops. Ask again: another one answers.', {}, LATER);
    }
    if (this.#open >= this.#settings.streams) {
      throw tooMany(
        `This instance already has ${this.#open} open change streams. Try again later, or ask another instance.`,
      );
    }
    const own = this.#openOf.get(caller) ?? 0;
    if (own >= this.#settings.streamsOfCaller) {
      throw tooMany(
        `You already have ${own} open change streams here, which is the most that you may have. End one of them first.`,
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
  return new ProblemError(429, 'too_many_streams', message, {}, LATER);
}
