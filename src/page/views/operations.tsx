import { shellWord } from '../../definition/shell-word.js';
import { hasText, quoted } from '../../protocol/odata-text.js';
import { CancelOperation } from '../actions/cancel-operation.js';
import { useRefused } from '../actions/refused-cancels.js';
import { useReading } from '../api/reading.js';
import type { OperationRow, Page } from '../api/shapes.js';
import { runningInstance } from '../../cli/explanation/distributed-state.js';
import { OperationBadge } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { IdEnd, OperationLink } from '../parts/links.js';
import { Heads, OneOf, TextFilter, type Column } from '../parts/listing.js';
import { Rows } from '../parts/more-rows.js';
import { At, lasting, Since } from '../parts/time.js';
import { ask, place } from '../router.js';
import { useSummary } from './attention.js';

const OUTCOMES = {
  ...{ running: 'running', hung: 'hung', failed: 'failed', canceled: 'canceled', success: 'success' },
} as const;
/** The columns in which a text is looked for. */
const TEXTS = ['name', 'request_id', 'workflow_error/error_details'];
const COLUMNS: readonly Column[] = [
  { title: 'Operation', by: 'name' },
  { title: 'Id', by: 'request_id' },
  { title: 'Outcome', by: 'outcome' },
  { title: 'Began', by: 'operation_id', mostFirst: true },
  {
    ...{ title: 'Took', by: 'totalseconds(workflow_end_time sub workflow_start_time)' },
    ...{ mostFirst: true, number: true },
  },
];

/** Lists the operations that ran and that run, the latest first. */
export function OperationsView() {
  const summary = useSummary();
  const { options } = place.value;
  const chosen = (name: string) => options.get(name) ?? undefined;
  const [outcome, text, sort = 'operation_id desc'] = ['outcome', 'text', 'sort'].map(chosen);
  const filter = [
    ...(outcome === undefined ? [] : [conditionOf(outcome)]),
    ...(text === undefined ? [] : [hasText(text, TEXTS)]),
  ].join(' and ');
  const query = filter === '' ? '' : `&$filter=${encodeURIComponent(filter)}`;
  const path = `/api/operations?$orderby=${encodeURIComponent(sort)}${query}&$count=true`;
  // The counts change with most operations, but not with all.
  const reading = useReading<Page<OperationRow>>(path, summary?.at, 2_000);
  return (
    <>
      <div class="title">
        <h1>Operations</h1>
        <span class="faint total">{reading.value.data?.['@odata.count']}</span>
      </div>
      <div class="filters">
        <OneOf label="Outcome" of={OUTCOMES} chosen={outcome} onChoose={(wanted) => ask({ outcome: wanted })} />
        <TextFilter
          label="Text"
          hint="event, key, id or code"
          text={text ?? ''}
          onText={(wanted) => ask({ text: wanted })}
        />
      </div>
      <Rows reading={reading.value} path={path}>
        {(rows) => <OperationTable rows={rows} sort={sort} onSort={(by) => ask({ sort: by })} />}
      </Rows>
      <Commands
        call={{
          ...{ method: 'GET', path },
          reeve: `reeve operations list${filter === '' ? '' : ` --where ${shellWord(filter)}`}${sort === 'operation_id desc' ? '' : ` --sort ${shellWord(sort)}`}`,
        }}
      />
    </>
  );
}

function conditionOf(outcome: string): string {
  return outcome === 'running' ? 'workflow_end_time eq null' : `outcome eq ${quoted(outcome)}`;
}

function OperationTable({
  rows,
  sort,
  onSort,
}: {
  readonly rows: readonly OperationRow[];
  readonly sort: string;
  onSort(sort: string): void;
}) {
  const asked = rows.filter(
    ({ workflow_end_time: end, outcome, '@reeve.cancel_caller': caller }) =>
      end === null || (caller !== undefined && outcome !== 'canceled'),
  );
  const refused = useRefused(asked.map(({ request_id: id }) => id));
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Operations, a scrollable table">
      <table>
        <Heads columns={COLUMNS} sort={sort} onSort={onSort} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.request_id}>
              <td>
                <OperationLink id={row.request_id}>{row.name}</OperationLink>
              </td>
              <td>
                <IdEnd id={row.request_id} />
              </td>
              <td>
                <OperationBadge row={row} />{' '}
                {row.workflow_end_time === null && !runningInstance(row)?.outcome && (
                  <CancelOperation
                    id={row.request_id}
                    name={row.name}
                    label="Cancel"
                    isRefused={refused.has(row.request_id)}
                  />
                )}
                <CancelLine caller={row['@reeve.cancel_caller']} isRefused={refused.has(row.request_id)} />
                {row['@reeve.error'] !== undefined && <p class="line bad">{row['@reeve.error']}</p>}
              </td>
              <td>
                <At at={row.workflow_start_time} />
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

/** Tells who has asked to cancel an operation, and whether an entity has refused that. */
function CancelLine({ caller, isRefused }: { readonly caller: string | undefined; readonly isRefused: boolean }) {
  if (caller === undefined && !isRefused) return null;
  const by = caller === undefined ? '' : ` by ${caller}`;
  return (
    <p class="line">{isRefused ? `Cancel refused${by === '' ? '' : `, requested${by}`}` : `Cancel requested${by}`}</p>
  );
}
