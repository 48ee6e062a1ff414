import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import pg from 'pg';
import { conditions } from '../components/index.js';
import { ResourceError } from '../protocol/errors.js';
import { implementResource, type ImplementedResource } from './resources.js';
import { messageOf } from '../definition/thrown.js';

/** How long somebody may take to answer, in milliseconds, before they count as not there. */
const ANSWERS_WITHIN_MS = 10_000;

/** The errors of a system call for what is not there, or refuses. */
const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ETIMEDOUT'];

/** The codes that PostgreSQL gives while it starts, and while it ends: admin_shutdown, crash_shutdown, cannot_connect_now. */
const NOT_UP = ['57P01', '57P02', '57P03'];

/**
 * Returns what conditions ask of the world, asked on the machine of the worker. What is not there is `false`; what cannot be asked is a
 * failure. W3, W-8
 */
export function implementConditions(): ImplementedResource {
  return implementResource(conditions, {
    propertySet: async ({ property }) => process.env[property] !== undefined,
    fileExists: ({ file, minimumSize }) => isThere(async () => (await stat(file)).size >= minimumSize),
    hostExists: ({ hostname }) => isThere(async () => (await lookup(hostname)).address !== ''),
    pageLive: ({ url, status, mimeTypes, minimumSize }, { signal }) => {
      requireScheme(url, ['http:', 'https:']);
      const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
      return isThere(async () => {
        const response = await fetch(url, { signal: within });
        const [type = ''] = (response.headers.get('content-type') ?? '').split(';', 1);
        const isRight = response.status === status && (mimeTypes.length === 0 || mimeTypes.includes(type.trim()));
        return (await response.arrayBuffer()).byteLength >= minimumSize && isRight;
      });
    },
    databaseOpen: ({ url }) => withDatabase(url, async () => true),
    databaseLive: ({ url }) => withDatabase(url, async (client) => (await client.query('select 1')).rowCount === 1),
  });
}

function withDatabase(url: string, ask: (client: pg.Client) => Promise<boolean>): Promise<boolean> {
  requireScheme(url, ['postgres:', 'postgresql:']);
  return isThere(async () => {
    const client = new pg.Client({
      ...{ connectionString: url, connectionTimeoutMillis: ANSWERS_WITHIN_MS, query_timeout: ANSWERS_WITHIN_MS },
    });
    // A connection that breaks off is told by the question.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await ask(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

/** @throws ResourceError when the address is none of these schemes */
function requireScheme(url: string, schemes: readonly string[]): void {
  if (URL.canParse(url) && schemes.includes(new URL(url).protocol)) return;
  throw new ResourceError(
    'wrong_address',
    `The address has to begin with ${schemes.map((s) => `${s}//`).join(' or ')}.`,
  );
}

/** @throws ResourceError when the question itself fails */
async function isThere(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (thrown) {
    if (isAbsence(thrown)) return false;
    const message = messageOf(thrown);
    throw new ResourceError('cannot_be_asked', message);
  }
}

function isAbsence(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = thrown as { readonly code?: unknown };
  if ([...NOT_THERE, ...NOT_UP].includes(String(code)) || thrown.name === 'TimeoutError') return true;
  if (thrown instanceof AggregateError) return thrown.errors.length > 0 && thrown.errors.every(isAbsence);
  // The words of the driver for a server that does not answer, or goes away.
  if (/timeout expired|Connection terminated|Query read timeout/.test(thrown.message)) return true;
  return thrown.cause !== undefined && isAbsence(thrown.cause);
}
