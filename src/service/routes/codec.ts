import { z } from '@hono/zod-openapi';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { cors } from 'hono/cors';
import { PAYLOADS } from '../guard.js';
import { ProblemError } from '../problem.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';
import { messageOf } from '../../definition/thrown.js';

/** All that the service needs to decrypt payloads for Temporal's UI and its command line. Q5 */
export interface CodecServer {
  readonly codec: PayloadCodec;
  readonly namespace: string;
  /** The sites whose pages may ask, such as `http://127.0.0.1:8233`. */
  readonly origins: readonly string[];
}

/** The most that a request may have, in bytes: a page of a history, as JSON. */
export const MOST_ENCODED = 16 * 1024 * 1024;

const bytes = z.string().openapi({ description: 'Base64.' });
const payloads = z
  .object({
    payloads: z.array(z.object({ metadata: z.record(z.string(), bytes).optional(), data: bytes.optional() })),
  })
  .openapi('EncodedPayloads');

/** Lets pages of the named sites ask, and no others. A browser asks for that before it sends who it is. Q5 */
export function allowOrigins(origins: readonly string[]) {
  return cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Api-Key', 'X-Namespace', 'X-Authorization'],
    credentials: true,
    maxAge: 600,
  });
}

/** Serves the codec of Temporal's UI, to operators of all tenants: a payload does not say whose it is. Q5 */
export function serveCodec(app: ServiceApp, server: CodecServer): void {
  for (const [way, does] of [
    ['decode', 'decrypted'],
    ['encode', 'encrypted'],
  ] as const) {
    const route = {
      method: 'post',
      path: `/codec/${way}`,
      operationId: `${way}Payloads`,
      tag: 'codec',
      summary: `Payloads of Temporal, ${does}`,
      description:
        `For Temporal's UI and command line, as their codec endpoint \`/codec\`. It takes the role operator for all tenants. A page ` +
        'of another site can use it if REEVE_CODEC_ORIGINS names the site. `X-Namespace` names the namespace.',
      request: {
        headers: z.object({ 'x-namespace': z.string().max(300).optional() }),
        body: { content: { 'application/json': { schema: payloads } }, required: true },
      },
      responses: { 200: jsonResponse(`The payloads, ${does}, in the same order.`, payloads) },
      problems: [404],
    } as const;
    serve(app, route, async (context) => {
      context.var.guard.list(PAYLOADS);
      const namespace = context.req.header('x-namespace') ?? server.namespace;
      if (namespace !== server.namespace) {
        const message = `This service has the keys of the namespace ${server.namespace} and not of ${namespace}.`;
        throw new ProblemError('another_namespace', message);
      }
      const given = payloads.parse(await context.req.json()).payloads.map(fromJson);
      return context.json({ payloads: (await coded(server.codec, way, given)).map(toJson) }, 200);
    });
  }
}

/** @throws ProblemError 400 that says what cannot be read, and why */
async function coded(codec: PayloadCodec, way: 'encode' | 'decode', given: Payload[]): Promise<Payload[]> {
  if (way === 'encode') return codec.encode(given);
  try {
    return await codec.decode(given);
  } catch (thrown) {
    throw new ProblemError('unreadable', messageOf(thrown));
  }
}

function fromJson({ metadata = {}, data }: z.output<typeof payloads>['payloads'][number]): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? '', 'base64') };
}

function toJson({ metadata, data }: Payload) {
  const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64');
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)] as const);
  return { metadata: Object.fromEntries(entries), data: base64(data ?? new Uint8Array()) };
}
