import { randomUUID } from 'node:crypto';

const PATH = '/api/control-plane/v1/DnsRecord';

/** All that callers have seen. */
export interface Seen {
  asked: number;
  slowestMs: number;
  /** Answers that are not as they have to be. */
  readonly wrong: string[];
}

/** Callers of the service who create, read and delete names. */
export class Records {
  readonly seen: Seen = { asked: 0, slowestMs: 0, wrong: [] };
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async create(key: string): Promise<void> {
    const body = { key, event: 'create', parameters: { address: { host: '127.0.0.1', port: 5_432 } } };
    await this.#ask('POST', PATH, [200, 201], body);
  }

  async delete(key: string): Promise<void> {
    await this.#ask('POST', `${PATH}/${key}/delete`, [200], {});
  }

  /** @param states the states in which it may be */
  async read(key: string, states: readonly string[]): Promise<void> {
    const body = await this.#ask('GET', `${PATH}/${key}`, [200]);
    const { state } = (body ?? {}) as { readonly state?: string };
    if (!states.includes(state ?? '')) this.seen.wrong.push(`${key} is ${state}`);
  }

  async #ask(method: string, path: string, expected: readonly number[], body?: object): Promise<unknown> {
    const since = Date.now();
    const headers = {
      'content-type': 'application/json',
      ...(body && { 'idempotency-key': randomUUID(), prefer: 'wait=60' }),
    };
    this.seen.asked++;
    try {
      const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const read: unknown = await response.json();
      if (!expected.includes(response.status)) {
        this.seen.wrong.push(`${method} ${path}: ${response.status} ${JSON.stringify(read).slice(0, 300)}`);
      }
      return read;
    } catch (thrown) {
      this.seen.wrong.push(`${method} ${path}: ${String(thrown)}`);
      return undefined;
    } finally {
      this.seen.slowestMs = Math.max(this.seen.slowestMs, Date.now() - since);
    }
  }
}

/** Does something for each of so many, some at once. */
export async function forAll(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
