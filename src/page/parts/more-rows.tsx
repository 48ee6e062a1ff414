import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { read } from '../api/client.js';
import { NoAnswer, Problem } from '../api/problem.js';
import type { Page } from '../api/shapes.js';
import type { Reading } from '../api/reading.js';
import { Empty, ProblemNotice, Read } from './notice.js';

/** The rows of a list, page by page: the first one as it is now, and those after it as they were when somebody asked for them. */
export function MoreRows<Row>({
  page,
  children,
}: {
  readonly page: Page<Row>;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}) {
  const more = useSignal<{ readonly rows: readonly Row[]; readonly next?: string } | undefined>(undefined);
  const problem = useSignal<Problem | NoAnswer | undefined>(undefined);
  const next = more.value ? more.value.next : page['@odata.nextLink'];
  const load = async () => {
    try {
      const { value, '@odata.nextLink': after } = await read<Page<Row>>(next!);
      more.value = { rows: [...(more.value?.rows ?? []), ...value], ...(after !== undefined && { next: after }) };
      problem.value = undefined;
    } catch (thrown) {
      if (!(thrown instanceof Problem) && !(thrown instanceof NoAnswer)) throw thrown;
      problem.value = thrown;
    }
  };
  return (
    <>
      {children([...page.value, ...(more.value?.rows ?? [])])}
      {problem.value && <ProblemNotice problem={problem.value} />}
      {next !== undefined && (
        <button type="button" onClick={() => void load()}>
          Show more
        </button>
      )}
    </>
  );
}

/** The rows of a list that is read: how far that is, and that there are none, where there are none. `path` tells one list from another. */
export function Rows<Row>({
  reading,
  path,
  children,
}: {
  readonly reading: Reading<Page<Row>>;
  readonly path: string;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}) {
  return (
    <Read reading={reading}>
      {(page) => (
        <MoreRows key={path} page={page}>
          {(rows) => (rows.length === 0 ? <Empty>There are none.</Empty> : children(rows))}
        </MoreRows>
      )}
    </Read>
  );
}
