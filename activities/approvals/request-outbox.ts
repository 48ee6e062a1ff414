import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../src/stack/files.js';

/**
 * The folder of requests to people, in the data directory. A mailer would take its place in production.
 *
 * request-outbox.1. What is withdrawn stays withdrawn, also where the request comes late, from a worker that was taken for dead.
 */
export class RequestOutbox {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'outbox');
  }

  /**
   * Writes a request in place of the one before of that name, unless it was withdrawn. Only the owner of the data directory can read it.
   * @param begunAt when that began which the request is about, in ISO 8601: it grows from request to request
   */
  async put(name: string, begunAt: string, request: object): Promise<void> {
    await mkdir(this.#withdrawn, { recursive: true, mode: 0o700 });
    if ((await this.#withdrawnUntil(name)) >= begunAt) return;
    await writeFileAtomically(this.#path(name), `${JSON.stringify(request, undefined, 2)}\n`);
    // It may have been withdrawn meanwhile.
    if ((await this.#withdrawnUntil(name)) >= begunAt) await rm(this.#path(name), { force: true });
  }

  /** Withdraws the request of this time, and those before it; without a time, what is there. request-outbox.1 */
  async remove(name: string, begunAt = ''): Promise<void> {
    await mkdir(this.#withdrawn, { recursive: true, mode: 0o700 });
    const before = await this.#withdrawnUntil(name);
    const latest = begunAt > before ? begunAt : before;
    await writeFileAtomically(join(this.#withdrawn, encodeURIComponent(name)), latest);
    await rm(this.#path(name), { force: true });
  }

  get #withdrawn(): string {
    return join(this.#folder, '.withdrawn');
  }

  #path(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}.json`);
  }

  async #withdrawnUntil(name: string): Promise<string> {
    try {
      return await readFile(join(this.#withdrawn, encodeURIComponent(name)), 'utf8');
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw thrown;
    }
  }
}
