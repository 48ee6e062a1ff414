import type { Command } from 'commander';
import { entityId } from '../../../protocol/names.js';
import { readPendingCallbacks } from '../../api/callbacks.js';
import { nameOf } from '../../api/entity.js';
import { withQuestions } from '../../api/question.js';
import { readList, type ListedRow } from '../../api/list.js';
import { withApi } from '../../api/with-api.js';
import { parseTarget } from '../../arguments.js';
import type { Api } from '../../api/api.js';
import { callbackLines } from '../../callback-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { meantBy } from '../../key-by-parts.js';
import { dim } from '../../list/columns.js';
import { printPage } from '../../list/print.js';
import { keepEnd, keepKey, type TableColumn } from '../../list/table.js';
import { formatTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

/** `reeve callbacks list Order/o` A1 */
export function defineCallbacksList(callbacks: Command): void {
  callbacks
    .command('list')
    .description('list pending callbacks; for one entity, with the commands that answer them')
    .argument('[entity]', 'type and key, like LogicalServer/orders (default: all in the store)')
    .option('--json', 'as JSON, with the id of each callback and the schema of its answer')
    .addHelpText(
      'after',
      examples(
        ['reeve callbacks list', 'all, the oldest first'],
        ['reeve callbacks list LogicalServer/orders', 'with the command that answers each'],
      ),
    )
    .action(run(list));
}

const MOST_LISTED = 1_000;
/** The first so many rows show their question. */
const MOST_QUESTIONS = 20;

type Listed = ListedRow<'pending_callbacks'> & { readonly question: unknown };

async function questionIn(api: Api, row: ListedRow<'pending_callbacks'>): Promise<unknown> {
  const of = { type: row.entity_type, key: row.entity_key };
  const [found] = await withQuestions(api, of, [{ call: row.call_name ?? undefined }]);
  return found?.input;
}

interface CallbacksOptions {
  readonly json?: boolean;
}

function list(target: string | undefined, options: CallbacksOptions): Promise<number> {
  return target === undefined ? listAll(options) : listOf(target, options);
}

async function listAll({ json }: CallbacksOptions): Promise<number> {
  const order = 'since_time,entity_type,entity_key,id';
  const page = await withApi('store', async (api) => {
    const { rows } = await readList<ListedRow<'pending_callbacks'>>(api, '/api/pending_callbacks', {
      ...{ view: 'pending_callbacks', conditions: [], order, top: MOST_LISTED },
    });
    // Each question is read from a history.
    const asking = json ? [] : rows.slice(0, MOST_QUESTIONS);
    const asked = await Promise.all(asking.map((row) => questionIn(api, row)));
    return { rows: rows.map((row, index): Listed => ({ ...row, question: asked[index] })) };
  });
  const clock = { now: Date.now(), utc: false };
  const none = 'No entity awaits an answer from outside.';
  return printPage({ rows: page.rows }, columns(clock), { ...(json && { json }), none });
}

function columns(clock: Clock): readonly TableColumn<Listed>[] {
  return [
    { title: 'SINCE', text: (row) => formatTime(row.since_time, clock), paint: dim },
    { title: 'ENTITY', text: ({ entity_type: type, entity_key: key }) => entityId({ type, key }), cut: keepKey },
    { title: 'AWAITS', text: (row) => row.call_name ?? row.event ?? '' },
    {
      title: 'ASKS',
      text: ({ question }) => (question === undefined ? '' : JSON.stringify(question)),
      optional: true,
      expendable: true,
    },
    { title: 'UNTIL', text: (row) => formatTime(row.until_time, clock) },
    {
      title: 'OPERATION',
      text: (row) => row.operation ?? '',
      cut: keepEnd,
      paint: dim,
      optional: true,
      expendable: true,
    },
  ];
}

async function listOf(target: string, { json }: CallbacksOptions): Promise<number> {
  return withApi('workflows', async (api) => {
    const entity = await meantBy(api, parseTarget(target));
    const pending = await readPendingCallbacks(api, entity);
    const items = await withQuestions(api, entity, pending);
    if (json) printJson({ items });
    else {
      const lines = items.flatMap(({ input, ...each }) => callbackLines(entity, each, input, Date.now()));
      console.log(lines.join('\n') || `${nameOf(entity)} awaits no answer from outside.`);
    }
    return EXIT.done;
  });
}
