import type { ListedInstance } from '../client/distributed.js';
import { listedOf } from './distributed-representation.js';
import type { ServiceParts } from './parts.js';
import { ProblemError } from './problem.js';

interface Page {
  readonly rows: number;
  readonly token: string | undefined;
  readonly target: string | undefined;
}

interface Listed {
  readonly rows: readonly ListedInstance[];
  readonly next?: string;
}

/** Tells a page of the store from one of Temporal. */
const STORED = 'store.';

/**
 * A page of the operations over partitions: from the store, which also knows those that Temporal has no longer; and from Temporal, where
 * there is no store or it is unavailable. A list goes on where it began. S5.2
 * @throws ProblemError 400, 503; Rejected `unknown_page`
 */
export async function listDistributed({ reeve, store }: ServiceParts, { rows, token, target }: Page): Promise<Listed> {
  const isOfTemporal = token !== undefined && !token.startsWith(STORED);
  if (store && !isOfTemporal) {
    try {
      const after = token === undefined ? undefined : positionIn(token);
      const found = await store.listDistributed({ rows, target, after });
      const last = found.length === rows ? found.at(-1) : undefined;
      const next = last && tokenOf({ start: last.start_time, life: last.life });
      return { rows: found.map(listedOf), ...(next !== undefined && { next }) };
    } catch (thrown) {
      if (token !== undefined || !(thrown instanceof ProblemError) || thrown.status !== 503) throw thrown;
    }
  }
  return reeve.distributed.list({ rows, ...(token && { token }) }, target);
}

interface Position {
  readonly start: Date;
  readonly life: string;
}

function tokenOf({ start, life }: Position): string {
  return STORED + Buffer.from(JSON.stringify([start.toISOString(), life])).toString('base64url');
}

function positionIn(token: string): Position {
  try {
    const told: unknown = JSON.parse(Buffer.from(token.slice(STORED.length), 'base64url').toString());
    const [start, life] = told as readonly unknown[];
    const time = new Date(String(start));
    if (typeof life === 'string' && !Number.isNaN(time.getTime())) return { start: time, life };
  } catch {
    // It is none of those that were given out.
  }
  throw new ProblemError('unknown_page', `The token is none that a page has given: begin with the first page.`);
}
