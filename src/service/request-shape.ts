import type { ServiceContext } from './context.js';
import { describeLossyNumber, lossyNumber } from '../protocol/lossy-number.js';
import type { Catalogue } from './lists/catalogue.js';
import { addressOf } from './odata-address.js';
import { ProblemError } from './problem.js';

/** The most levels of lists and objects within each other in a body, so that code that walks through it comes to an end. */
const LEVELS = 100;

/** Refuses a body or a query that is not UTF-8: what it is not would be taken for something else. S6.1 */
export async function refuseOtherText({ req }: ServiceContext, next: () => Promise<void>): Promise<void> {
  const query = new URL(req.url).search;
  if (!(query.match(ENCODED) ?? []).every(isUtf8)) {
    throw new ProblemError('malformed_query', 'The query is not percent-encoded UTF-8. Encode each value by itself.');
  }
  if (req.method === 'POST') {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(await req.arrayBuffer());
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      throw new ProblemError('malformed', 'The body is not UTF-8. Send JSON in that encoding.');
    }
  }
  await next();
}

const ENCODED = /(?:%[\da-f]{2})+/gi;

/**
 * Refuses a path that would be taken for another one, and a body that is nested too deeply to walk through, or has a number that would
 * be rounded. S1.5a, S6.1
 */
export function refuseUnsound(catalogue: Catalogue) {
  return async ({ req }: ServiceContext, next: () => Promise<void>): Promise<void> => {
    checkPath(new URL(req.url).pathname, catalogue);
    if (req.method === 'POST') {
      // Many clients name a media type although they send no body. That means that there are no parameters. The cache of the
      // framework holds a promise.
      const isJson = req.header('content-type')?.includes('json') ?? false;
      if (isJson && (await req.text()) === '') req.bodyCache = { text: Promise.resolve('{}') as unknown as string };
      // The route itself refuses what is not JSON.
      const body: unknown = await req.json().catch(() => undefined);
      const lossy = body === undefined ? undefined : lossyNumber(await req.text());
      if (lossy) throw new ProblemError('inexact_number', `The body is not accepted: ${describeLossyNumber(lossy)}.`);
      if (isDeeper(body, LEVELS)) {
        throw new ProblemError('too_deep', `The body is nested more than ${LEVELS} levels deep. Make it flatter.`);
      }
    }
    await next();
  };
}

function checkPath(path: string, catalogue: Catalogue): void {
  if (!isUtf8(path)) {
    throw new ProblemError('malformed_path', 'The path is not percent-encoded UTF-8. Encode each key by itself.');
  }
  const address = addressOf(path, catalogue);
  if ('path' in address) return;
  const { segment, problem } = address.malformed;
  const message = `'${segment}' addresses nothing: ${problem}. Write it as Type('key') or list(type='Type',key='key').`;
  throw new ProblemError('malformed_key', message);
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
