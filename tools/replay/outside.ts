import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { aliases } from '../../activities/alias/contract.js';
import { approvals } from '../../activities/approvals/contract.js';
import { dataClusters } from '../../activities/data-clusters/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { names } from '../../activities/dns/contract.js';
import type { Resource } from '../../src/definition/resource.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { fakeResource, nobodyAnswers, type FakeResource } from '../../src/simulation/index.js';
import {
  implementResource,
  type AskContext,
  type CallContext,
  type ImplementedResource,
} from '../../src/temporal/resources.js';
import { outside } from '../simulation/components/kinds.js';
import { FakeCloud } from '../simulation/fake-cloud.js';
import { parts } from './entities/definitions.js';

/*
 * The resources. They outlive the workers, which are ended all the time, so the workers call them over HTTP.
 */

interface Asked {
  readonly activity: string;
  readonly input: unknown;
  readonly idempotencyKey: string;
  /** By which a call is answered later; absent with those that give their answer at once. */
  readonly token?: string | undefined;
}
type Answered = { readonly output: unknown } | { readonly code: string; readonly message: string };

const RESOURCES: readonly Resource[] = [databases, aliases, names, dataClusters, approvals, parts, outside];

/** How long a call takes at most, in milliseconds, and how often it fails, from 0 to 1. */
const LONGEST_CALL_MS = 400;
const FAILS = 0.03;
/** How long those think who answer later, in milliseconds, and how often they never answer, and do so twice. */
const LONGEST_THOUGHT_MS = 8_000;
const FORGET = 0.03;
const REPEAT = 0.2;

/**
 * Serves the resources until it is closed.
 * @param tell answers a call that was asked some time ago
 */
export async function serveOutside(chance: () => number, tell: (token: string, output: unknown) => Promise<void>) {
  const made = new Map<string, number>();
  const ownParts = fakeResource(parts, {
    make: (_, { idempotencyKey }) => {
      made.set(idempotencyKey, made.get(idempotencyKey) ?? made.size + 1);
      return { made: made.get(idempotencyKey)! };
    },
    look: ({ name }) => ({ seen: name.length }),
    consult: () => undefined,
  });
  const forTrees = fakeResource(outside, { do: ({ what }) => (chance() < 0.3 ? true : what) });
  let closed = false;
  // Nobody waits for these answers any more when everything ends.
  const unlessClosed = (thrown: unknown): void => {
    if (!closed) throw thrown;
  };
  const tellLater = async (token: string, output: unknown): Promise<void> => {
    if (chance() < FORGET) return;
    const times = chance() < REPEAT ? 2 : 1;
    for (let time = 0; time < times; time++) {
      await delay(chance() ** 2 * LONGEST_THOUGHT_MS);
      if (!closed) await tell(token, output).catch(unlessClosed);
    }
  };
  const all: readonly FakeResource[] = [...new FakeCloud().resources, ownParts, forTrees];
  const answer = async ({ activity, input, idempotencyKey, token }: Asked): Promise<Answered> => {
    const call = all.map(({ calls }) => calls.get(activity)).find((each) => each !== undefined);
    if (!call) throw new TypeError(`no resource has a call '${activity}'`);
    if (call.shape.answer !== 'inline') await delay(chance() ** 2 * LONGEST_CALL_MS);
    if (chance() < FAILS) return { code: 'out_of_order', message: `'${activity}' failed, as it does at times` };
    if (token !== undefined && call.shape.answer === 'callback') void tellLater(token, LATER[activity]?.(input));
    try {
      return {
        output: await call.perform(input, {
          idempotencyKey,
          attempt: 1,
          answerAt: nobodyAnswers,
          affinity: () => ({ worker: 'imitated' }),
        }),
      };
    } catch (thrown) {
      if (!(thrown instanceof ResourceError)) throw thrown;
      return { code: thrown.code, message: thrown.message };
    }
  };
  const server = createServer((request, response) => {
    void read(request)
      .then(answer)
      .then((answered) => response.end(JSON.stringify(answered)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      closed = true;
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return JSON.parse(text) as Asked;
}

/** The answers of those who answer later. */
const LATER: Readonly<Record<string, (input: unknown) => unknown>> = {
  'parts.consult': (input) => ({ part: (input as { readonly part: number }).part }),
  'approvals.askForMove': () => ({ approved: true, by: 'somebody outside' }),
};

/** The calls of all resources, as a worker makes them. */
export function callsOutside(url: string): readonly ImplementedResource[] {
  return RESOURCES.map((resource) => {
    const calls = Object.keys(resource.calls).map((name) => {
      const call = async (
        input: unknown,
        { idempotencyKey, callback }: AskContext | (CallContext & { readonly callback?: undefined }),
      ) => {
        const asked: Asked = { activity: `${resource.name}.${name}`, input, idempotencyKey, token: callback?.token };
        const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) });
        const answered = (await response.json()) as Answered;
        if ('code' in answered) throw new ResourceError(answered.code, answered.message);
        return answered.output;
      };
      return [name, call] as const;
    });
    return implementResource(resource, Object.fromEntries(calls) as never);
  });
}
