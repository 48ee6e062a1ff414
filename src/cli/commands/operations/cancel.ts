import type { Command } from 'commander';
import { parseEntityId } from '../../../protocol/names.js';
import { describedTypes, type DescribedTypes } from '../../api/described-types.js';
import { pathOfOperation, readOperation, requestIdOf, type OperationRepresentation } from '../../api/operation.js';
import { withApi } from '../../api/with-api.js';
import { UsageError } from '../../usage-error.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { followToEnd } from './follow.js';

interface CancelOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve operations cancel 883cc7632dd9` S4.7 */
export function defineOperationsCancel(operations: Command): void {
  operations
    .command('cancel')
    .description('ask an operation to cancel; the declaration of each entity decides what it does then')
    .argument('<operation>', 'its id, or its short id')
    .option(
      '--wait',
      'follow the operation until it ends; exit code 0 if it ends as canceled, 1 if it has succeeded or failed, 2 if all that were asked refuse',
    )
    .option('--json', 'the answer as JSON; with --wait, the result')
    .addHelpText(
      'after',
      examples(['reeve operations cancel 883cc7632dd9 --wait && echo canceled', 'and wait for the outcome']),
    )
    .action(run(cancel));
}

/** Says what the request can come to, as far as it can be known: entities that take part later may declare an answer. */
export function cancelWords(
  { request_id: id, name, participants }: Pick<OperationRepresentation, 'request_id' | 'name' | 'participants'>,
  types: DescribedTypes,
): string {
  const root = name?.slice(name.indexOf(' ') + 1) ?? '';
  const entities = [...new Set([root, ...participants.map(({ entity }) => entity)])];
  const answers = entities.some((entity) => {
    const described = types.get(parseEntityId(entity)?.type ?? '');
    return !described || described.cancel !== undefined;
  });
  if (answers) return `asked to cancel ${id}`;
  const who = entities.length === 1 ? `${root} declares no event` : 'none of its entities declares an event';
  return `${id} continues: ${who} that handles a request to cancel`;
}

type Refusals = Readonly<OperationRepresentation['cancel_refusals']>;
type Asked = Pick<OperationRepresentation, 'outcome' | 'cancel'> & { readonly cancel_refusals: Refusals };

/** Tells of an operation whether all that were asked to cancel it have refused, since these refusals. S4.7 */
export function refusedSince(before: Refusals): (now: Asked) => boolean {
  return ({ outcome, cancel, cancel_refusals: now }) =>
    outcome === 'running' && cancel === 'refused' && JSON.stringify(now) !== JSON.stringify(before);
}

async function cancel(id: string, options: CancelOptions): Promise<number> {
  return withApi('workflows', async (api) => {
    const request = await requestIdOf(api, id);
    const path = pathOfOperation(request);
    const operation = await readOperation(api, path);
    if (operation.outcome !== 'running') {
      throw new UsageError(
        `The operation ${request} has ended already: ${operation.outcome}. There is nothing to cancel.`,
      );
    }
    const isOver = refusedSince(operation.cancel_refusals);
    await api.ask('POST', `${path}/cancel`);
    if (options.wait) return followToEnd(api, path, operation, { ...options, wanted: 'canceled', isOver });
    if (options.json) printJson({ ...operation, cancel: 'requested', cancel_refusals: [] });
    else console.log(cancelWords(operation, await describedTypes(api)));
    return EXIT.done;
  });
}
