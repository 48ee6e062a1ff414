import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  component,
  HandlerHost,
  kindsOf,
  plant,
  step,
  underWay,
  type AnyComponent,
  type OwnSelf,
  type Tree,
} from '../../src/components/index.js';
import { defineResource } from '../../src/definition/index.js';

const post = defineResource('post', {
  send: { input: z.object({ to: z.string() }), output: z.object({ from: z.string() }) },
});
type Self = OwnSelf<unknown>;

/** A component of one's own by itself, whose calls are answered when a test says so. */
class Office {
  readonly sent: string[] = [];
  #own: AnyComponent;
  #tree: Tree;
  #host!: HandlerHost;
  #moment = 0;
  readonly #calls = new Map<string, string>();

  constructor(work: (self: Self) => Promise<string>) {
    const own = component('Office', { work });
    this.#own = own;
    this.#tree = plant(kindsOf([own]), {
      run: 'deployment/office',
      at: 1,
      description: own({ sfShouldTerminate: true }),
    });
    this.#begin();
    this.#take({ kind: 'deploy' });
  }

  get root() {
    return this.#tree.components[this.#tree.root]!;
  }

  /** Lets all go on that can go on by itself. */
  async calm(): Promise<this> {
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    this.#moment++;
    return this;
  }

  /** Answers these calls in one task. */
  async answer(...recipients: readonly string[]): Promise<void> {
    for (const to of recipients) {
      const [key] = [...this.#calls].find(([, each]) => each === to)!;
      this.#calls.delete(key);
      this.#take({ kind: 'answer', key, result: { output: { from: to } } });
    }
    await this.calm();
  }

  /** Goes on in a new run, with this code. */
  async renew(work?: (self: Self) => Promise<string>): Promise<void> {
    if (work) this.#own = component('Office', { work });
    this.#tree = JSON.parse(JSON.stringify(this.#tree)) as Tree;
    this.#begin();
    for (const effect of underWay(kindsOf([this.#own]), this.#tree)) this.#host.take(effect);
    await this.calm();
  }

  #begin(): void {
    const host: HandlerHost = new HandlerHost([this.#own], {
      tell: ({ at: _, ...input }) => void (this.#host === host && this.#take(input)),
      now: () => 1,
      quiet: () => setImmediate(),
      moment: () => this.#moment,
    });
    this.#host = host;
  }

  #take(input: object): void {
    const { tree, effects } = step(kindsOf([this.#own]), this.#tree, { at: 1, ...input } as never);
    this.#tree = tree;
    for (const effect of effects) {
      if (this.#host.take(effect) || effect.kind !== 'call') continue;
      const { to } = effect.input as { readonly to: string };
      this.#calls.set(effect.key, to);
      this.sent.push(to);
    }
  }
}

const send = async (self: Self, to: string) => (await self.call(post.send, { to })).from;

/** Two letters, each followed by another one, of which the first takes longer to write; then one more. */
async function letters(self: Self): Promise<string> {
  const slowly = async () => {
    await send(self, 'a');
    for (let moments = 0; moments < 5; moments++) await undefined;
    return send(self, 'x');
  };
  const both = await Promise.all([slowly(), send(self, 'b').then(() => send(self, 'y'))]);
  return [...both, await send(self, 'c')].join(' ');
}

describe("code of one's own that waits for several things at once (W1)", () => {
  it.each([false, true])('has each result in its place (handler-host.1); in a new run: %j', async (renewed) => {
    const office = await new Office(letters).calm();
    await office.answer('a', 'b');
    await office.answer('x', 'y');
    if (renewed) await office.renew();
    await office.answer('c');
    expect(office.root).toMatchObject({ phase: 'ended', end: { type: 'normal' } });
    expect(office.root.attributes).toMatchObject({ output: 'x y c' });
    expect(office.sent).toEqual(['a', 'b', 'x', 'y', 'c']);
  });

  it.each([
    ['calls with other contents', async (self: Self) => send(self, 'z')],
    ['sends what it has called', async (self: Self) => `${String(self.send('a'))} ${await send(self, 'b')}`],
    ['catches that', async (self: Self) => send(self, 'z').catch(() => send(self, 'b'))],
  ])('fails where it %s, and gets no answer (handler-host.2)', async (_, changed) => {
    const office = await new Office(async (self) => `${await send(self, 'a')} ${await send(self, 'b')}`).calm();
    await office.answer('a');
    await office.renew(changed);
    expect(office.root).toMatchObject({ phase: 'ended', end: { type: 'abnormal' } });
    expect(office.root.end!.description).toContain('differs from the one before');
    expect(office.sent).toEqual(['a', 'b']);
  });
});
