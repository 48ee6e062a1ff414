import type { Client } from '@temporalio/client';
import pg from 'pg';

/** Everything that was written down, by the name of its place. */
export type Written = ReadonlyMap<string, string>;

/** The histories of all workflows, with what their payloads hold, and what the UI shows of them. */
export async function histories(client: Client): Promise<Written> {
  const written = new Map<string, string>();
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const [history, described] = [await handle.fetchHistory(), await handle.describe()];
    written.set(`history of ${workflowId} ${runId}`, readable(history));
    written.set(`description of ${workflowId} ${runId}`, readable(described.raw));
  }
  return written;
}

/** All rows of all tables of a database. */
export async function tables(url: string): Promise<Written> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const written = new Map<string, string>();
    for (const { name } of rows) {
      const all = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      written.set(`table ${name}`, all.rows.map(({ row }) => row).join('\n'));
    }
    return written;
  } finally {
    await client.end();
  }
}

/** The places in which one of the secrets stands, as it is or in base64. */
export function placesOf(secrets: readonly string[], written: Written): readonly string[] {
  const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]);
  return [...written].filter(([, text]) => forms.some((form) => text.includes(form))).map(([place]) => place);
}

/** A value as JSON, where bytes are the text that they hold. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return String(each);
    if (each instanceof Uint8Array) return Buffer.from(each).toString();
    const bytes = each as { readonly type?: unknown; readonly data?: readonly number[] } | null;
    return bytes?.type === 'Buffer' && Array.isArray(bytes.data) ? Buffer.from(bytes.data).toString() : each;
  });
}
