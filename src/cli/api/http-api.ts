import { setTimeout as delay } from 'node:timers/promises';
import { Unreachable } from '../unreachable.js';
import type { Answered, Api, Asked, Change, Retell } from './api.js';
import { sentEvents } from './event-stream.js';
import { Problem, problemOf } from './problem.js';

export interface HttpApiOptions extends Pick<Api, 'remote' | 'dimensions'> {
  /** The address before the paths of the service, without a slash at the end. */
  readonly base: string;
  /** @throws Unreachable */
  readonly send: (request: Request) => Promise<Response>;
  readonly retell: Retell;
}

/** For how long, and how often, a stream that has broken off is asked for again; in milliseconds. */
const BACK_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 1_000;
/** The statuses of failures that pass: the service is busy, or something that it needs is away. */
const PASSING = new Set([429, 502, 503, 504]);

/** The management service by requests and answers, whatever way these take. S6.1, S6.3 */
export class HttpApi implements Api {
  readonly #options: HttpApiOptions;

  constructor(options: HttpApiOptions) {
    this.#options = options;
  }

  get remote(): string | undefined {
    return this.#options.remote;
  }

  get dimensions(): readonly string[] | undefined {
    return this.#options.dimensions;
  }

  async ask(method: 'GET' | 'POST', path: string, { query = {}, headers = {}, json }: Asked = {}): Promise<Answered> {
    const url = this.#url(path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const content = json !== undefined && { 'content-type': 'application/json' };
    const response = await this.#send(url, {
      method,
      headers: { ...headers, ...content },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { headers: response.headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  async *follow(path: string, { toBeThere } = { toBeThere: false }): AsyncGenerator<Change> {
    const url = this.#url(path);
    let seen: string | undefined;
    let lostAt: number | undefined;
    for (;;) {
      try {
        const headers = { accept: 'text/event-stream', ...(seen !== undefined && { 'last-event-id': seen }) };
        const { body, status } = await this.#send(url, { headers });
        // The end of the stream has been seen.
        if (status === 204 || !body) return;
        for await (const { event, id, data } of sentEvents(body)) {
          [seen, lostAt] = [id ?? seen, undefined];
          const final = event === 'end';
          yield { final, data: JSON.parse(data) as unknown };
          if (final) return;
        }
      } catch (thrown) {
        // Something that never existed does not come back.
        if (!(toBeThere || seen !== undefined) || !passes(thrown)) throw thrown;
        lostAt ??= Date.now();
        // Without a worker, the service itself answers, and a worker may come at any time.
        const lost = !(thrown instanceof Problem) || thrown.code !== 'no_answer';
        if (lost && Date.now() - lostAt > BACK_WITHIN_MS) throw thrown;
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  #url(path: string): URL {
    return new URL(`${this.#options.base}${path}`);
  }

  /** @throws Problem when the service refuses or fails */
  async #send(url: URL, init: RequestInit): Promise<Response> {
    // The key is for this service alone, so redirects are not followed.
    const response = await this.#options.send(new Request(url, { ...init, redirect: 'error' }));
    if (response.ok) return response;
    throw this.#options.retell(await problemOf(response));
  }
}

function passes(thrown: unknown): boolean {
  return thrown instanceof Problem ? PASSING.has(thrown.status) : thrown instanceof Unreachable || isBrokenOff(thrown);
}

/** Tells whether this is the error that `fetch` throws when a body ends early. */
function isBrokenOff(thrown: unknown): boolean {
  return thrown instanceof TypeError;
}
