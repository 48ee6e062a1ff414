import { actionWords } from '../../cli/explanation/audit-words.js';
import { shellWord } from '../../definition/shell-word.js';
import { AUDITED_READS } from '../../protocol/audited-reads.js';
import { useReading } from '../api/reading.js';
import type { AuditRow, Page } from '../api/shapes.js';
import { Badge } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { EntityLink } from '../parts/links.js';
import { hasText } from '../../protocol/odata-text.js';
import { OneOf, TextFilter } from '../parts/listing.js';
import { Rows } from '../parts/more-rows.js';
import { At } from '../parts/time.js';
import { ask, partsOfId, place } from '../router.js';
import { types } from '../session/session.js';

const WHAT = { denied: 'denied', reads: 'reads', all: 'all' };
const CONDITIONS: Readonly<Record<string, string | undefined>> = {
  changes: `(decision eq 'denied' or not ${AUDITED_READS})`,
  denied: "decision eq 'denied'",
  reads: AUDITED_READS,
};
const WHEN: Readonly<Record<string, string>> = { '1h': 'last hour', '24h': 'last day', '7d': 'last week' };
const DURATIONS: Readonly<Record<string, string>> = { '1h': 'PT1H', '24h': 'P1D', '7d': 'P7D' };

/** Tells who was allowed and denied what, the latest first. S6.5 */
export function AuditView() {
  const { options } = place.value;
  const chosen = (name: string) => options.get(name) ?? undefined;
  const [what, when, text] = ['what', 'when', 'text'].map(chosen);
  const where = [CONDITIONS[what ?? 'changes'], ...(text === undefined ? [] : [isAbout(text)])];
  const conditions = where.filter((each) => each !== undefined);
  const since = when === undefined ? [] : [`time ge now() sub duration'${DURATIONS[when]}'`];
  const filter = [...conditions, ...since].join(' and ');
  const path = `/api/audit?$orderby=time%20desc${filter && `&$filter=${encodeURIComponent(filter)}`}`;
  const reading = useReading<Page<AuditRow>>(path, 0, 3_000);
  const command = [
    'reeve audit',
    ...(when === undefined ? [] : [`--since ${when}`]),
    ...(conditions.length === 0 ? [] : [`--where ${shellWord(conditions.join(' and '))}`]),
  ];
  return (
    <>
      <h1>Audit trail</h1>
      <div class="filters">
        <OneOf
          label="What"
          none="changes and denials"
          of={WHAT}
          chosen={what}
          onChoose={(wanted) => ask({ what: wanted })}
        />
        <OneOf label="When" none="any time" of={WHEN} chosen={when} onChoose={(wanted) => ask({ when: wanted })} />
        <TextFilter
          label="Text"
          hint="caller, action or entity"
          text={text ?? ''}
          onText={(wanted) => ask({ text: wanted })}
        />
      </div>
      <Rows reading={reading.value} path={path}>
        {(rows) => <AuditTable rows={rows} />}
      </Rows>
      <Commands call={{ method: 'GET', path, reeve: command.join(' ') }} />
    </>
  );
}

/** The condition that the text is in a row. Of an entity, as in `Vault/main`, it names the type and the key. */
function isAbout(text: string): string {
  const anywhere = hasText(text, ['subject', 'action', 'entity_type', 'entity_key', 'reason']);
  if (!text.includes('/')) return anywhere;
  const [type, key] = partsOfId(text);
  return `(${anywhere} or (${hasText(type, ['entity_type'])} and ${hasText(key, ['entity_key'])}))`;
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
                {actionWords(row.action)} <About row={row} />
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

/** Shows what was asked about; a link where it is an entity. */
function About({ row: { entity_type: type, entity_key: key } }: { readonly row: AuditRow }) {
  if (type === null || key === null) return null;
  const known = types.value?.some(({ name }) => name === type);
  return known ? <EntityLink id={`${type}/${key}`} /> : <span class="mono">{`${type}/${key}`}</span>;
}
