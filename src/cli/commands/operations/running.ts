import { Option, type Command } from 'commander';
import type { LiveOperation } from '../../../client/live/live-reader.js';
import { quoted } from '../../../client/live/quoted.js';
import { operationWorkflowId, SEARCH_ATTRIBUTES } from '../../../protocol/names.js';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { dim, paintOutcome } from '../../list/columns.js';
import { liveRows, printLive, type LiveOptions } from '../../list/live.js';
import { wholeNumber } from '../../list/options.js';
import { keepEnd, keepKey, type TableColumn } from '../../list/table.js';
import { formatDuration, formatTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';
import { withSession } from '../../session.js';

interface RunningOptions extends LiveOptions {
  readonly name?: string;
  readonly hung?: boolean;
  readonly utc?: boolean;
}

/** `reeve operations running` S5.2 */
export function defineOperationsRunning(operations: Command): void {
  operations
    .command('running')
    .description('list the running operations from Temporal, even while the store is unavailable')
    .option('--name <text>', 'only those whose name begins with this, like "create LogicalServer"')
    .option('--hung', 'only those that exceed their time budget')
    .addOption(new Option('--top <rows>', 'the maximum number of rows').argParser(wholeNumber).default(50))
    .option('--watch', 'show them again every 2 s, until you stop it')
    .option('--utc', 'times in UTC')
    .option('--json', 'all columns, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve operations running', 'all running operations, the latest first'],
        ['reeve operations running --name "create LogicalServer" --hung', 'creations of servers that take too long'],
      ),
    )
    .action(run(running));
}

async function running({ name, hung, ...options }: RunningOptions): Promise<number> {
  const where = [
    ...(name === undefined ? [] : [`${SEARCH_ATTRIBUTES.name} STARTS_WITH ${quoted(name)}`]),
    ...(hung ? [`${SEARCH_ATTRIBUTES.outcome} = "hung"`] : []),
  ];
  refuseRemote('operations running', 'it asks Temporal itself. Use operations list, which asks the service');
  return withSession(async ({ client, link }) => {
    const { LiveReader } = await import('../../../client/live/live-reader.js');
    const found = await liveRows(options.top, (page) => new LiveReader(client).operations(where, page));
    const executionOf = ({ request_id: id }: LiveOperation) => link(operationWorkflowId(id));
    const clock = { now: Date.now(), utc: options.utc === true };
    return printLive(found, columns(clock), executionOf, { ...options, none: 'No such operation runs.' });
  });
}

function columns(clock: Clock): readonly TableColumn<LiveOperation>[] {
  return [
    { title: 'OPERATION', text: ({ request_id: id }) => id, cut: keepEnd },
    { title: 'NAME', text: ({ name }) => name, cut: keepKey },
    { title: 'OUTCOME', text: ({ outcome }) => outcome ?? 'running', paint: paintOutcome },
    { title: 'STARTED', text: (row) => formatTime(row.workflow_start_time.toISOString(), clock), paint: dim },
    {
      title: 'RUNS FOR',
      text: (row) => formatDuration(row.workflow_start_time.toISOString(), null, clock),
      align: 'right',
    },
  ];
}
