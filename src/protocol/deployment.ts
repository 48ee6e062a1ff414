import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import type { Described } from './plain.js';

const json = z.json();
const ending = z.strictObject({ type: z.string().min(1).max(100), description: z.string().max(10_000) });
/** The path of a component in its tree; the root's is ''. */
const path = z.string().max(10_000);

/** The fields that come with each message. */
const sender = {
  /** The id of the request: the same one again is not heard. S2.5 */
  request: z.string().max(1_000).optional(),
  /** The tenant for which it is sent. S6.5 */
  tenant: z.string().max(63).optional(),
};

const treeMessage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('terminate'), path, end: ending, ...sender }),
  z.strictObject({ kind: z.literal('event'), path, event: json, passed: z.array(z.string()).optional(), ...sender }),
  z.strictObject({ kind: z.literal('register'), path, listener: z.string(), ...sender }),
  z.strictObject({ kind: z.literal('set'), path, name: z.string(), value: json.optional(), ...sender }),
  z.strictObject({ kind: z.literal('ping'), ...sender }),
  /** A deployment that a `run` of this tree has started is up, or has failed to come up. */
  z.strictObject({
    kind: z.literal('launched'),
    key: z.string(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    ...sender,
  }),
  /** The entity whose state has deployed it is there, and wants it. */
  z.strictObject({ kind: z.literal('owner'), ...sender }),
  /** The `run` that has started it waits until it is up. */
  z.strictObject({ kind: z.literal('launcher'), ...sender }),
]);
makeShareable(treeMessage);

/** A message to a deployment from people, programs and other trees, by a signal of any name. W1, W2 */
export type DeploymentMessage = Described<typeof treeMessage>;

/** Gives `undefined` for what is not such a message. */
export function parseDeploymentMessage(message: unknown): DeploymentMessage | undefined {
  return treeMessage.safeParse(message).data;
}
