import type { Command } from 'commander';
import type { Taken } from '../client/client.js';
import type { OperationResult, OperationStatus } from '../operations/status.js';
import type { EngagementOutcome } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import { outcomeOfOnly } from '../protocol/outcome.js';
import { parseParams } from './arguments.js';
import { colours as pc } from './colours.js';
import { EXIT } from './exit.js';
import { printJson } from './json.js';
import { formatResult } from './output.js';
import { showProgress } from './progress-view.js';
import { withSession, type Session } from './session.js';

/** Options of the commands that raise an event. */
export interface TakeOptions {
  readonly params?: string;
  readonly requestId?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** Adds the options that all commands have which raise an event. */
export function withTakeOptions(command: Command): Command {
  return command
    .option('--request-id <id>', 'the same id again gives the first outcome and runs nothing')
    .option('--wait', 'follow the operation to its end')
    .option('--json', 'the answer, or with --wait the result, as JSON');
}

/** Raises an event, and says what came of it: the answer, or with `--wait` how the operation ended. */
export async function take(
  options: TakeOptions,
  send: (session: Session, params: unknown) => Promise<Taken>,
): Promise<number> {
  const params = parseParams(options.params);
  return withSession(async (session) => {
    const taken = await send(session, params);
    if (options.wait) return follow(session, taken, options);
    if (options.json) printJson({ ...taken.answer, requestId: taken.requestId });
    else console.log(formatTaken(taken, session));
    const { outcome } = taken.answer.status === 'accepted' ? taken.answer : {};
    return outcome && outcomeOfOnly(outcome) !== 'success' ? EXIT.failed : EXIT.done;
  });
}

/** Follows the operation of an event to its end, and gives the exit code of its outcome. */
export async function follow(
  { reeve, link }: Session,
  taken: Taken,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const result = json ? await reeve.operations.result(taken) : await showProgress(reeve, taken);
  if (json) printJson(result);
  else console.log(formatResult(result, link));
  return exitCodeOf(result);
}

/** An operation that another command has set off, as if this one had. */
export function takenAs({ id, root }: OperationStatus): Taken {
  const { type, key, event, engagement } = root;
  const answer = { status: 'accepted', operation: id } as const;
  return { entity: { type, key }, event, requestId: engagement, answer };
}

export function requestOf({ requestId }: TakeOptions) {
  return requestId === undefined ? {} : { requestId };
}

function exitCodeOf({ rejection, outcome }: OperationResult): number {
  if (rejection) return EXIT.rejected;
  return outcome === 'success' ? EXIT.done : EXIT.failed;
}

/** What has settled before the answer was given. */
function formatSettled(name: string, outcome: EngagementOutcome): string {
  const word = { success: 'done', failed: pc.red('failed'), canceled: 'canceled' }[outcomeOfOnly(outcome)];
  const { error, state } = outcome;
  return [`${name}: ${word}, ${state}`, ...(error ? [`  ${pc.red(error.code)}: ${error.message}`] : [])].join('\n');
}

function formatTaken({ entity, event, answer }: Taken, { link }: Session): string {
  const name = `${event} ${entityId(entity)}`;
  if (answer.status === 'waiting') return `${name}: waits behind ${answer.behind}\n  ${answer.operation}`;
  if (answer.outcome) return formatSettled(name, answer.outcome);
  // The operation may have no workflow yet, or never need one: the entity leads to it.
  return `${name}: accepted\n  operation ${answer.operation}\n  ${link(entityId(entity))}`;
}
