import type { Client } from '@temporalio/client';
import { searchAttributePayloadConverter } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { decodeMapFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { createHash } from 'node:crypto';
import { Rejected } from '../../protocol/errors.js';
import { BEGUN_MEMO } from '../../protocol/operation-start.js';
import { answerInTime } from '../answer-in-time.js';
import { protoMilliseconds } from '../explain/timestamp.js';

/** All that Temporal shows of a workflow without asking a worker, a moment late. */
export interface Visible {
  readonly id: string;
  readonly type: string;
  /** The first run of its life. */
  readonly life: string;
  /** When it began, for an operation over all of its runs; else when its latest run began. */
  readonly startedAt: Date;
  readonly taskQueue: string;
  /** A search attribute that is a text or a truth value. */
  attribute(name: string): string | boolean | undefined;
}

export interface VisiblePage {
  readonly found: readonly Visible[];
  /** Begins the next page; none on the last one. */
  readonly next?: string;
}

/** The code with which a token is rejected that no page has given. */
export const UNKNOWN_PAGE = 'unknown_page';

export interface PageRequest {
  /** The most rows, up to 1,000. */
  readonly rows: number;
  /** `next` of the page before. */
  readonly token?: string | undefined;
}

/**
 * A page of what Temporal finds with a query.
 * @throws Rejected `no_answer` when it does not answer; `unknown_page` where no page has given the token
 */
export async function listVisible(client: Client, query: string, { rows, token }: PageRequest): Promise<VisiblePage> {
  const { namespace } = client.options;
  const asked = { namespace, query, pageSize: rows, ...(token !== undefined && { nextPageToken: readToken(token) }) };
  const { executions, nextPageToken } = await answerInTime(client, 'the list of what runs', () =>
    client.workflowService.listWorkflowExecutions(asked),
  );
  const visible = async (listed: (typeof executions)[number]): Promise<Visible> => {
    const { execution, type, firstRunId, startTime, taskQueue, searchAttributes, memo } = listed;
    const fields = searchAttributes?.indexedFields ?? {};
    return {
      id: execution?.workflowId ?? '',
      type: type?.name ?? '',
      life: firstRunId || (execution?.runId ?? ''),
      startedAt: new Date((await beginningIn(client, memo)) ?? protoMilliseconds(startTime) ?? 0),
      taskQueue: taskQueue ?? '',
      attribute: (name) => valueOf(fields[name]),
    };
  };
  const found = await Promise.all(executions.map(visible));
  const next = nextPageToken && nextPageToken.length > 0 ? writeToken(nextPageToken) : undefined;
  return { found, ...(next !== undefined && { next }) };
}

/** When a workflow began over all of its runs, in milliseconds since 1970, where its memo tells it and can be read. */
async function beginningIn(client: Client, memo: Memo): Promise<number | undefined> {
  const { [BEGUN_MEMO]: payload } = memo?.fields ?? {};
  if (!payload) return undefined;
  const decoding = decodeMapFromPayloads(client.options.loadedDataConverter, { [BEGUN_MEMO]: payload });
  // It is a list for emergencies, too: without the key of the payloads, it shows the rest.
  const begun = (await decoding.catch(() => undefined))?.[BEGUN_MEMO];
  return typeof begun === 'number' ? begun : undefined;
}

/** The token of Temporal, with a sum of it. Temporal itself answers for a wrong token as if it had a defect, and is asked again. */
function writeToken(token: Uint8Array): string {
  return `${Buffer.from(token).toString('base64url')}.${sumOf(token)}`;
}

/** @throws Rejected `unknown_page` */
function readToken(text: string): Buffer {
  const [given = '', sum] = text.split('.');
  const token = Buffer.from(given, 'base64url');
  if (sum === sumOf(token)) return token;
  throw new Rejected({
    ...{ code: UNKNOWN_PAGE, entity: '', event: '' },
    message: 'No page begins with this token. Ask for the list again without it.',
  });
}

function sumOf(token: Uint8Array): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 8);
}

type Payload = Parameters<typeof searchAttributePayloadConverter.fromPayload>[0];
type Memo = { readonly fields?: Readonly<Record<string, Payload>> | null } | null | undefined;

function valueOf(payload: Payload | undefined) {
  if (!payload) return undefined;
  const value = searchAttributePayloadConverter.fromPayload<unknown>(payload);
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return typeof first === 'string' || typeof first === 'boolean' ? first : undefined;
}
