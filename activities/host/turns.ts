/** Lets only one thing at a time be done with each name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#last.set(name, done);
    return done.finally(() => {
      if (this.#last.get(name) === done) this.#last.delete(name);
    });
  }
}
