import { useReading } from '../api/reading.js';
import type { OperationRow, Page } from '../api/shapes.js';
import { OutcomeBadge } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { OperationLink } from '../parts/links.js';
import { MoreRows } from '../parts/more-rows.js';
import { Empty, Read } from '../parts/notice.js';
import { Ago, lasting, Since } from '../parts/time.js';
import { go, linkTo, place } from '../router.js';
import { useSummary } from './attention.js';

const OUTCOMES = ['running', 'hung', 'failed', 'canceled', 'success'] as const;

/** What ran and runs, the latest first. */
export function OperationsView() {
  const summary = useSummary();
  const { options } = place.value;
  const outcome = OUTCOMES.find((each) => each === options.get('outcome'));
  const named = options.get('name') ?? '';
  const filters = [
    ...(outcome === undefined ? [] : [conditionOf(outcome)]),
    ...(named === '' ? [] : [`contains(name,'${text(named)}')`]),
  ];
  const query = filters.length === 0 ? '' : `&$filter=${encodeURIComponent(filters.join(' and '))}`;
  const path = `/api/operations?$orderby=operation_id%20desc${query}&$top=1000`;
  // The counts change with most operations, but not with all.
  const reading = useReading<Page<OperationRow>>(path, summary?.at, 2_000);
  const choose = (change: { readonly outcome?: string; readonly name?: string }) =>
    go(linkTo(['operations'], { ...(outcome && { outcome }), ...(named && { name: named }), ...change }), {
      replacing: true,
    });
  return (
    <>
      <h1>Operations</h1>
      <div class="filters">
        <div class="periods" role="group" aria-label="Outcome">
          <button
            type="button"
            class="small"
            aria-pressed={outcome === undefined}
            onClick={() => choose({ outcome: '' })}
          >
            all
          </button>
          {OUTCOMES.map((each) => (
            <button
              key={each}
              type="button"
              class="small"
              aria-pressed={each === outcome}
              onClick={() => choose({ outcome: each })}
            >
              {each}
            </button>
          ))}
        </div>
        <label class="inline">
          <span>Name</span>
          <input
            value={named}
            placeholder="create LogicalServer"
            spellcheck={false}
            onInput={(event) => choose({ name: event.currentTarget.value })}
          />
        </label>
      </div>
      <Read reading={reading.value}>
        {(page) => (
          <MoreRows page={page}>
            {(rows) => (rows.length === 0 ? <Empty>There are none.</Empty> : <OperationTable rows={rows} />)}
          </MoreRows>
        )}
      </Read>
      <Commands
        call={{
          ...{ method: 'GET', path },
          reeve: `reeve operations list${outcome === undefined || outcome === 'running' ? '' : ` --outcome ${outcome}`}`,
        }}
      />
    </>
  );
}

function conditionOf(outcome: (typeof OUTCOMES)[number]): string {
  return outcome === 'running' ? 'workflow_end_time eq null' : `outcome eq '${outcome}'`;
}

/** A text within a filter. */
function text(given: string): string {
  return given.replaceAll("'", "''");
}

function OperationTable({ rows }: { readonly rows: readonly OperationRow[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Operations, a scrollable table">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Outcome</th>
            <th scope="col">Began</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.request_id}>
              <td>
                <OperationLink id={row.request_id}>{row.name}</OperationLink>
              </td>
              <td>
                <OutcomeBadge outcome={row.outcome} />
              </td>
              <td>
                <Ago at={row.workflow_start_time} />
              </td>
              <td class="number">
                {row.workflow_end_time === null ? (
                  <Since at={row.workflow_start_time} />
                ) : (
                  lasting(Date.parse(row.workflow_end_time) - Date.parse(row.workflow_start_time))
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
