import type { LiveOperation, LiveReader } from '../../client/live/live-reader.js';
import { TENANT } from '../../definition/tenant.js';
import { compare, liveCondition, OnlyTheStoreKnows } from '../lists/live/live-condition.js';
import { readableOperations } from '../lists/live/readable-operations.js';
import type { Readable } from '../readable.js';
import { NAME, type SummaryQuestion } from './question.js';
import type { OperationCounts, OperationSummary } from './summary-schema.js';

/** Rows of Temporal's lists: on a page, and in all. A hosted service answers 30 pages a second. */
const PAGE = 1_000;
const MOST_PAGES = 20;

/** All that Temporal tells of each operation that runs. */
const GROUPS: Readonly<Record<string, (operation: LiveOperation) => string | null>> = {
  [NAME]: ({ name }) => name.split('/')[0] ?? '',
  [TENANT]: ({ tenant }) => tenant,
};

/**
 * Counts the operations that run now, as Temporal shows them: for while the store is unavailable. A4, S5.2
 * @throws OnlyTheStoreKnows; Rejected `no_answer` when Temporal does not answer
 */
export async function countLive(
  live: LiveReader,
  question: SummaryQuestion,
  readable: Readable,
): Promise<OperationSummary> {
  const { from, until, by, top } = question;
  const { operations, partial } = await allOf(live, conditionsOf(question, readable));
  const groups = new Map<string, LiveOperation[]>();
  for (const operation of readableOperations(operations, readable)) {
    const key = JSON.stringify(by.map((name) => GROUPS[name]!(operation)));
    groups.set(key, [...(groups.get(key) ?? []), operation]);
  }
  const counted = [...groups].map(([key, members]) => {
    const values = JSON.parse(key) as readonly (string | null)[];
    return { group: Object.fromEntries(by.map((name, index) => [name, values[index] ?? null])), ...countsOf(members) };
  });
  const sorted = counted.toSorted((one, other) => other.running! - one.running!);
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    by: [...by],
    '@reeve.source': 'temporal',
    all: countsOf([...groups.values()].flat()),
    groups: by.length === 0 ? [] : sorted.slice(0, top),
    ...(sorted.length > top && { more: true }),
    ...(partial && { partial }),
  };
}

/** @throws OnlyTheStoreKnows */
function conditionsOf({ query: { filter }, lasts, by }: SummaryQuestion, { tenant }: Readable): readonly string[] {
  if (!lasts) throw new OnlyTheStoreKnows('what ran at another time');
  const unknown = by.find((name) => !Object.hasOwn(GROUPS, name));
  if (unknown !== undefined) throw new OnlyTheStoreKnows(unknown);
  const listed = { of: 'operations' } as const;
  const conditions = [
    ...(filter ? [liveCondition(listed, filter)] : []),
    ...(tenant === undefined ? [] : [compare(listed, TENANT, 'eq', tenant)]),
  ];
  return conditions.map(({ query }) => query);
}

async function allOf(
  live: LiveReader,
  where: readonly string[],
): Promise<{ readonly operations: readonly LiveOperation[]; readonly partial?: true }> {
  const operations: LiveOperation[] = [];
  let token: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { rows, next } = await live.operations(where, { rows: PAGE, token });
    operations.push(...rows);
    if (next === undefined) return { operations };
    token = next;
  }
  return { operations, partial: true };
}

function countsOf(operations: readonly LiveOperation[]): OperationCounts {
  return {
    ...{ total: null, started: null, running: operations.length, waiting: null },
    hung: operations.filter(({ outcome }) => outcome === 'hung').length,
    ...{ finished: null, succeeded: null, failed: null, canceled: null },
    ...{ rescheduled: null, attempts: null, resumptions: null, mean_ms: null, p95_ms: null },
  };
}
