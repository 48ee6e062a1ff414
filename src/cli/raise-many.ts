import type { EntityRef } from '../protocol/names.js';
import type { RaiseManyReport, RaiseManyRequest } from '../service/routes/raise-many.js';
import { nameOf } from './api/entity.js';
import { withApi } from './api/with-api.js';
import { colours as pc } from './colours.js';
import { EXIT } from './exit.js';
import { printJson } from './json.js';
import { meantBy } from './key-by-parts.js';
import { namesForPeople } from './names-for-people.js';

/** The event that is raised on each of many entities. The keys of the entities may be written part by part. */
export interface ManyEvents {
  readonly entities: readonly EntityRef[];
  /** The event as people call it: `delete`. */
  readonly event: string;
  readonly parameters?: unknown;
}

/** Raises an event on many entities as one request, and says what has become of each. */
export async function raiseMany(
  { entities, event, parameters }: ManyEvents,
  { requestId, json }: { readonly requestId?: string; readonly json?: boolean },
): Promise<number> {
  return withApi('workflows', async (api) => {
    const names = await namesForPeople(api);
    const meant = await Promise.all(entities.map((entity) => meantBy(api, entity)));
    const events: RaiseManyRequest['events'] = meant.map((entity) => ({
      ...{ entity: nameOf(entity), event: names.eventCalled(entity.type, event) },
      ...(parameters !== undefined && { parameters }),
    }));
    const headers = { prefer: 'wait=2', ...(requestId !== undefined && { 'idempotency-key': requestId }) };
    const report = (await api.ask('POST', '/api/raise', { headers, json: { events } })).body as RaiseManyReport;
    if (json) printJson(report);
    else console.log(reportWords(report));
    if (report.unknown > 0) return EXIT.failed;
    return report.rejected > 0 ? EXIT.rejected : EXIT.done;
  });
}

/** The report for people: a line for each, and how many there are of what. */
export function reportWords({ items, accepted, rejected, unknown, idempotency_key: key }: RaiseManyReport): string {
  const width = Math.max(...items.map(({ entity }) => entity.length));
  const lines = items.map(({ entity, operation, problem }) => {
    const said = operation
      ? `${operation.outcome === 'failed' ? pc.red(operation.outcome) : operation.outcome}  ${pc.dim(operation.request_id)}`
      : `${pc.red(problem?.code ?? '?')}: ${problem?.detail ?? ''}`;
    return `${entity.padEnd(width)}  ${said}`;
  });
  const open =
    unknown === 0
      ? []
      : [
          pc.yellow(
            `The answer to ${unknown} is not known. Repeat with --request-id ${key}: no event is raised twice.`,
          ),
        ];
  return [...lines, `${accepted} accepted, ${rejected} rejected`, ...open].join('\n');
}
