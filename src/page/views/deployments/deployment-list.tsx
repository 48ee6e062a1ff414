import { useReading } from '../../api/reading.js';
import type { DeploymentRow, Page } from '../../api/shapes.js';
import { Commands } from '../../parts/commands.js';
import { Rows } from '../../parts/more-rows.js';
import { Ago, Since } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { deployable } from '../../session/session.js';
import { PhaseBadge } from './phase-badge.js';

const PATH = '/api/deployments?$orderby=start_time%20desc&$top=1000';

/** The trees of components that run on their own, the latest first. */
export function DeploymentListView() {
  const reading = useReading<Page<DeploymentRow>>(PATH, 0, 2_000);
  return (
    <>
      <div class="title">
        <h1>Deployments</h1>
        {deployable.value.length > 0 && (
          <a class="button small" href={linkTo(['deploy'])}>
            New deployment
          </a>
        )}
      </div>
      <p class="faint">Each is a tree of components in a separate workflow.</p>
      <Rows reading={reading.value} path={PATH}>
        {(rows) => <DeploymentTable rows={rows} />}
      </Rows>
      <Commands call={{ method: 'GET', path: PATH, reeve: 'reeve deployments list' }} />
    </>
  );
}

function DeploymentTable({ rows }: { readonly rows: readonly DeploymentRow[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Deployments, a scrollable table">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Component</th>
            <th scope="col">Phase</th>
            <th scope="col">For</th>
            <th scope="col">Deployed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.life}>
              <td>
                <a href={linkTo(['deployments', row.name])}>{row.name}</a>
              </td>
              <td>{row.component}</td>
              <td>
                <PhaseBadge phase={row.phase} end={row.end_type} undeployed={row.undeployed} />
              </td>
              <td>
                <Since at={row.phase_time} />
              </td>
              <td>
                <Ago at={row.start_time} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
