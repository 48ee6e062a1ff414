/*
 * Watches for all tabs of a browser with one connection for each token: browsers open only a few connections to a server.
 *
 * hub.1. What is watched is what the tabs wish now, taken together. Nobody wishes, nothing is watched.
 * hub.2. Who begins to wish for something that is watched already is told at once what was told last.
 */
import type { ProblemDocument } from '../api/problem.js';
import { eventsIn } from './event-stream.js';
import type { Connection, News, Told, Wish } from './messages.js';

/** Tabs change their wishes several times while a view is built. */
const SETTLES_MS = 15;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [300, 5_000];
/** The service says at least so often that it is there. */
const SILENT_MS = 40_000;

type Tell = (news: News) => void;

/** Keeps the connections. */
export class Hub {
  readonly #streams = new Map<string, Stream>();

  /** Takes over what a tab wishes for. `tell` reaches the tab. */
  wish({ tab, token, of }: Wish, tell: Tell): void {
    const name = token ?? '';
    for (const [other, stream] of this.#streams) if (other !== name) this.#drop(other, stream, tab);
    const stream = this.#streams.get(name) ?? new Stream(token);
    this.#streams.set(name, stream);
    stream.wish(tab, of, tell);
  }

  /** Forgets a tab that was closed. */
  leave(tab: string): void {
    for (const [name, stream] of this.#streams) this.#drop(name, stream, tab);
  }

  #drop(name: string, stream: Stream, tab: string): void {
    stream.leave(tab);
    if (stream.isEmpty) this.#streams.delete(name);
  }
}

interface Wishing {
  readonly of: ReadonlySet<string>;
  readonly tell: Tell;
}

/** One connection, with the token that it shows. */
class Stream {
  readonly #token: string | undefined;
  readonly #tabs = new Map<string, Wishing>();
  readonly #last = new Map<string, Told>();
  #connection: Connection = { state: 'idle' };
  #open: { readonly of: string; readonly closing: AbortController } | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(token: string | undefined) {
    this.#token = token;
  }

  get isEmpty(): boolean {
    return this.#tabs.size === 0;
  }

  wish(tab: string, of: readonly string[], tell: Tell): void {
    const before = this.#tabs.get(tab);
    this.#tabs.set(tab, { of: new Set(of), tell });
    if (!before) tell({ connection: this.#connection });
    for (const each of of) {
      const told = this.#last.get(each);
      // hub.2
      if (told && !before?.of.has(each)) tell({ told });
    }
    this.#settle();
  }

  leave(tab: string): void {
    if (this.#tabs.delete(tab)) this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#reopen(), SETTLES_MS);
  }

  #reopen(): void {
    const wished = new Set([...this.#tabs.values()].flatMap(({ of }) => [...of]));
    for (const each of this.#last.keys()) if (!wished.has(each)) this.#last.delete(each);
    const of = JSON.stringify([...wished].sort());
    if (this.#open?.of === of) return;
    this.#open?.closing.abort();
    this.#open = undefined;
    if (wished.size === 0) return this.#becomes({ state: 'idle' });
    const closing = new AbortController();
    this.#open = { of, closing };
    void this.#follow([...wished], closing.signal);
  }

  async #follow(of: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#connection.state === 'idle') this.#becomes({ state: 'connecting' });
    while (!signal.aborted) {
      const why = await this.#listen(of, signal).catch((thrown: unknown) => String(thrown));
      if (signal.aborted) return;
      if (why === 'unauthenticated') return this.#becomes({ state: 'unauthenticated' });
      // A stream that ends after a while was ended on purpose, and goes on at once: what is shown may still be right.
      if (this.#connection.state !== 'away' && why !== 'ended')
        this.#becomes({ state: 'away', since: Date.now(), why });
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Listens until the stream ends. Gives why it has ended. */
  async #listen(of: readonly string[], signal: AbortSignal): Promise<string> {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENT_MS);
    try {
      const query = new URLSearchParams(of.map((each) => ['of', each]));
      const response = await fetch(`/api/watch?${query.toString()}`, {
        headers: {
          accept: 'text/event-stream',
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        },
        signal: AbortSignal.any([signal, silent.signal]),
        cache: 'no-store',
      });
      if (response.status === 401) return 'unauthenticated';
      if (!response.ok || !response.body) {
        const problem = (await response.json().catch(() => undefined)) as ProblemDocument | undefined;
        return problem?.detail ?? `The service answers ${response.status}.`;
      }
      this.#becomes({ state: 'live' });
      this.#pauseMs = FIRST_PAUSE_MS;
      const heard = response.body.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            clearTimeout(timer);
            timer = setTimeout(() => silent.abort(), SILENT_MS);
            controller.enqueue(chunk);
          },
        }),
      );
      for await (const { data } of eventsIn(heard)) this.#tell(JSON.parse(data) as Told);
      return 'ended';
    } finally {
      clearTimeout(timer);
    }
  }

  #tell(told: Told): void {
    this.#last.set(told.of, told);
    for (const { of, tell } of this.#tabs.values()) if (of.has(told.of)) tell({ told });
  }

  #becomes(connection: Connection): void {
    this.#connection = connection;
    for (const { tell } of this.#tabs.values()) tell({ connection });
  }
}
