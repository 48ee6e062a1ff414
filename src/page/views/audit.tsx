import { useReading } from '../api/reading.js';
import type { AuditRow, Page } from '../api/shapes.js';
import { Badge } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { EntityLink } from '../parts/links.js';
import { MoreRows } from '../parts/more-rows.js';
import { Empty, Read } from '../parts/notice.js';
import { At } from '../parts/time.js';
import { go, linkTo, place } from '../router.js';
import { types } from '../session/session.js';

/** Who was allowed and denied what, the latest first. S6.5 */
export function AuditView() {
  const denied = place.value.options.get('denied') !== null;
  const filter = denied ? `&$filter=${encodeURIComponent("decision eq 'denied'")}` : '';
  const path = `/api/audit?$orderby=time%20desc${filter}`;
  const reading = useReading<Page<AuditRow>>(path, 0, 3_000);
  const choose = (only: boolean) => go(linkTo(['audit'], only ? { denied: 'only' } : {}), { replacing: true });
  return (
    <>
      <h1>Audit trail</h1>
      <div class="periods" role="group" aria-label="Decisions">
        <button type="button" class="small" aria-pressed={!denied} onClick={() => choose(false)}>
          all
        </button>
        <button type="button" class="small" aria-pressed={denied} onClick={() => choose(true)}>
          denied
        </button>
      </div>
      <Read reading={reading.value}>
        {(page) => (
          <MoreRows page={page}>
            {(rows) => (rows.length === 0 ? <Empty>There are none.</Empty> : <AuditTable rows={rows} />)}
          </MoreRows>
        )}
      </Read>
      <Commands call={{ method: 'GET', path, reeve: `reeve audit${denied ? ' --denied' : ''}` }} />
    </>
  );
}

function AuditTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Decisions, a scrollable table">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Caller</th>
            <th scope="col">Action</th>
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <At at={row.time} />
              </td>
              <td>
                {row.subject}
                {row.tenant !== null && row.tenant !== '*' && <span class="faint"> of {row.tenant}</span>}
              </td>
              <td>
                {row.action} <About row={row} />
              </td>
              <td>
                <Badge tone={row.decision === 'denied' ? 'bad' : 'quiet'}>{row.decision}</Badge>
                {row.reason !== null && <p class="line">{row.reason}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was asked about; a link where it is an entity. */
function About({ row: { entity_type: type, entity_key: key } }: { readonly row: AuditRow }) {
  if (type === null || key === null) return null;
  const known = types.value?.some(({ name }) => name === type);
  return known ? <EntityLink id={`${type}/${key}`} /> : <span class="mono">{`${type}/${key}`}</span>;
}
