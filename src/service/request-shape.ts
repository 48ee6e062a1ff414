import type { ServiceContext } from './context.js';
import { ProblemError } from './problem.js';

/** The most levels that lists and objects of a body may be within each other: whoever walks through it comes to its end. */
const LEVELS = 100;

/** Refuses a path that would be taken for another one, and a body that nobody could walk through. S6.1 */
export async function refuseUnsound(context: ServiceContext, next: () => Promise<void>): Promise<void> {
  const { req } = context;
  if (!isUtf8(new URL(req.url).pathname)) {
    throw new ProblemError(400, 'malformed_path', 'The path is no percent-encoded UTF-8. Encode each key by itself.');
  }
  if (req.method === 'POST') {
    // Many clients name the media type of a body that they do not have: it is no parameters. What is kept is a promise.
    const isJson = req.header('content-type')?.includes('json') ?? false;
    if (isJson && (await req.text()) === '') req.bodyCache = { text: Promise.resolve('{}') as unknown as string };
    // What is no JSON, the route itself refuses.
    const body: unknown = await req.json().catch(() => undefined);
    if (isDeeper(body, LEVELS)) {
      throw new ProblemError(400, 'too_deep', `The body is nested more than ${LEVELS} levels deep. Make it flatter.`);
    }
  }
  await next();
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
