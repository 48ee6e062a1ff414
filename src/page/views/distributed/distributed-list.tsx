import { ActionButtons } from '../../actions/action-buttons.js';
import { useReading } from '../../api/reading.js';
import type { ListedDistributed, Page } from '../../api/shapes.js';
import { DistributedBadge } from '../../parts/badge.js';
import { Commands } from '../../parts/commands.js';
import { Rows } from '../../parts/more-rows.js';
import { Ago } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { rightsOver, startable } from '../../session/session.js';
import { cancelAction } from './steering.js';

/** Temporal lists them, a moment late. */
const EVERY_MS = 3_000;
const PATH = '/api/distributed';

/** The distributed operations, the latest first. */
export function DistributedListView() {
  const reading = useReading<Page<ListedDistributed>>(PATH, 0, EVERY_MS);
  return (
    <>
      <div class="title">
        <h1>Distributed operations</h1>
        {startable.value.length > 0 && (
          <a class="button small" href={linkTo(['start'])}>
            New distributed operation
          </a>
        )}
      </div>
      <p class="faint">Each runs a job on every partition of a target, at the place of the partition.</p>
      <Rows reading={reading.value} path={PATH}>
        {(rows) => <DistributedTable rows={rows} />}
      </Rows>
      <Commands call={{ method: 'GET', path: PATH, reeve: 'reeve distributed list' }} />
    </>
  );
}

function DistributedTable({ rows }: { readonly rows: readonly ListedDistributed[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Distributed operations, a scrollable table">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Target</th>
            <th scope="col">State</th>
            <th scope="col">Began</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, target, instance, state, outcome, start_time: start }) => (
            <tr key={name}>
              <td>
                <a href={linkTo(['distributed', name])}>
                  {type} {instance}
                </a>
              </td>
              <td class="mono">{target}</td>
              <td>
                <DistributedBadge state={state} outcome={outcome} />{' '}
                {outcome === null && state !== 'ended' && rightsOver(type)?.operate && (
                  <ActionButtons actions={[cancelAction({ name, type, target })]} classOf={() => 'danger small'} />
                )}
              </td>
              <td>
                <Ago at={start} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
