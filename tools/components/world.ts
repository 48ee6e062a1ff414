import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a worker makes. */
export interface Asked {
  /** The deployment, where it is the one with several hosts. */
  readonly of?: string;
  readonly what: string;
  readonly key: string;
  readonly host: string;
}
export type Answered = { readonly output: unknown } | { readonly code: string };

/** A step of a deployment: what is done, and which time that is. */
type StepName = string;
/** Kills the worker that asks, where it has to die in this moment: then it gets no answer. */
type Killer = (asked: Asked, step: StepName, moment: 'before' | 'after') => Promise<void> | undefined;

/** Where calls do something. It outlives the workers, and is told whom to kill at which step. */
export class World {
  /** The steps of each deployment by their idempotency keys, and the host that did them last. */
  readonly #done = new Map<string, Map<string, { readonly step: StepName; readonly host: string }>>();
  readonly #kill: Killer;
  readonly #server = createServer((request, response) => {
    void read(request)
      .then((asked) => this.#answer(asked))
      .then((answered) => (answered ? response.end(JSON.stringify(answered)) : response.destroy()));
  });

  constructor(kill: Killer) {
    this.#kill = kill;
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The steps of a deployment, in the order of their names, each with its host. */
  steps(of: string): readonly string[] {
    return [...(this.#done.get(of)?.values() ?? [])].map(({ step, host }) => `${step} on ${host}`).sort();
  }

  async #answer(asked: Asked): Promise<Answered | undefined> {
    const { of, key, host, what } = asked;
    if (of === undefined) return somehow(key);
    const all = this.#done.get(of) ?? new Map<string, { step: StepName; host: string }>();
    this.#done.set(of, all);
    const times = [...all].filter(([other, { step }]) => other !== key && step.startsWith(`${what} `)).length;
    const step = all.get(key)?.step ?? `${what} (${times + 1})`;
    const dying = this.#kill(asked, step, 'before');
    if (dying) return void (await dying);
    all.set(key, { step, host });
    const dyingAfter = this.#kill(asked, step, 'after');
    if (dyingAfter) return void (await dyingAfter);
    return { output: { host } };
  }
}

/** Gives what the world says in random trees: the same to the same call. */
function somehow(key: string): Answered {
  const chance = createHash('sha256').update(key).digest()[0]!;
  return chance < 32 ? { code: 'out_of_order' } : { output: chance % 3 === 0 ? true : `it said ${chance}` };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return JSON.parse(text) as Asked;
}
