import type { Client } from '@temporalio/client';
import { searchAttributePayloadConverter } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { answerInTime } from '../answer-in-time.js';

/** What Temporal shows of a workflow without asking a worker, a moment late. */
export interface Visible {
  readonly id: string;
  readonly type: string;
  /** The first run of its life. */
  readonly life: string;
  readonly startedAt: Date;
  /** A search attribute that is a text or a truth value. */
  attribute(name: string): string | boolean | undefined;
}

export interface VisiblePage {
  readonly found: readonly Visible[];
  /** Begins the next page; none on the last one. */
  readonly next?: string;
}

export interface PageRequest {
  /** The most rows, up to 1,000. */
  readonly rows: number;
  readonly token?: string | undefined;
}

/** A page of what Temporal finds with a query. @throws Rejected `no_worker` when it does not answer */
export async function listVisible(client: Client, query: string, { rows, token }: PageRequest): Promise<VisiblePage> {
  const { namespace } = client.options;
  const asked = { namespace, query, pageSize: rows, ...(token && { nextPageToken: Buffer.from(token, 'base64url') }) };
  const { executions, nextPageToken } = await answerInTime(client, 'the list of what runs', () =>
    client.workflowService.listWorkflowExecutions(asked),
  );
  const found = executions.map(({ execution, type, firstRunId, startTime, searchAttributes }): Visible => {
    const fields = searchAttributes?.indexedFields ?? {};
    return {
      id: execution?.workflowId ?? '',
      type: type?.name ?? '',
      life: firstRunId || (execution?.runId ?? ''),
      startedAt: new Date(Number(startTime?.seconds ?? 0) * 1_000 + Math.floor((startTime?.nanos ?? 0) / 1e6)),
      attribute: (name) => valueOf(fields[name]),
    };
  });
  const next = nextPageToken && nextPageToken.length > 0 ? Buffer.from(nextPageToken).toString('base64url') : undefined;
  return { found, ...(next !== undefined && { next }) };
}

function valueOf(payload: Parameters<typeof searchAttributePayloadConverter.fromPayload>[0] | undefined) {
  if (!payload) return undefined;
  const value = searchAttributePayloadConverter.fromPayload<unknown>(payload);
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return typeof first === 'string' || typeof first === 'boolean' ? first : undefined;
}
