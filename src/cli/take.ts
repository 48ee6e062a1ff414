import { askOnce } from './ask-once.js';
import type { Command } from 'commander';
import type { EntityRef } from '../protocol/names.js';
import type { Api } from './api/api.js';
import { nameOf, versionTag } from './api/entity.js';
import { outcomeOf, pathOfOperation, type IsOver, type OperationRepresentation } from './api/operation.js';
import { onEntity, pathOfEntity } from './api/type-paths.js';
import { withApi } from './api/with-api.js';
import { colours as pc } from './colours.js';
import { EXIT } from './exit.js';
import { printText } from './fold.js';
import { printJson } from './json.js';
import { meantBy } from './key-by-parts.js';
import { namesForPeople } from './names-for-people.js';
import { formatOutcome } from './output.js';
import type { FollowedOperation } from './progress.js';
import { showProgress } from './progress-view.js';

/** Options of the commands that raise an event. */
export interface TakeOptions {
  readonly params?: string;
  readonly requestId?: string;
  readonly ifMatch?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** The request that a command makes of an entity. The key of the entity may be written part by part. */
export interface Request {
  readonly entity: EntityRef;
  /** The event as people call it, `delete`; or how it is found. */
  readonly event: string | ((api: Api) => Promise<string>);
  /** The path of the request: below that of the entity, or below that of its type for one that is to be created. */
  readonly path: (api: Api, entity: EntityRef) => Promise<string>;
  readonly json?: (api: Api, entity: EntityRef) => unknown;
}

/** Adds the options that all commands that raise an event have. */
export function withTakeOptions(command: Command): Command {
  return command
    .option('--request-id <id>', 'the idempotency key: a repeated id returns the first outcome')
    .option('--wait', 'follow the operation that this starts until it ends')
    .option('--json', 'the operation as JSON; with --wait, its result');
}

/** Adds the option of commands that may be meant for one version of an entity. */
export function withVersionOption(command: Command): Command {
  return command.option('--if-match <version>', `only if it has that version, as 'reeve get' shows it`);
}

/** The path of a request to an entity that exists. */
export function onPath(call: string): Request['path'] {
  return async (api, entity) => `${await pathOfEntity(api, entity)}/${call}`;
}

/** Raises an event, and says how far its operation is, or with `--wait` how it ended. */
export async function take(options: TakeOptions, request: Request): Promise<number> {
  return withApi('workflows', async (api) => {
    const entity = await meantBy(api, request.entity);
    const operation = await send(api, { ...request, entity }, options);
    const event = typeof request.event === 'string' ? request.event : await request.event(api);
    const name = `${event} ${nameOf(entity)}`;
    const path = `${pathOfOperation(operation.request_id)}?${onEntity(entity)}`;
    if (operation.outcome === 'running') {
      if (options.wait) return follow(api, { id: operation.request_id, path, root: entity }, name, options);
      if (options.json) printJson(operation);
      else console.log(formatBegun(operation, name));
      return EXIT.done;
    }
    return printOutcome(api, operation, name, options);
  });
}

/** Sends the request. @throws Problem with the command that repeats it, where no answer has come */
export async function send(
  api: Api,
  { entity, path, json }: Request,
  options: TakeOptions,
): Promise<OperationRepresentation> {
  const { requestId, ifMatch } = options;
  const headers = { ...(ifMatch !== undefined && { 'if-match': await versionTag(api, entity, ifMatch) }) };
  const asked = { headers, ...(json && { json: await json(api, entity) }) };
  return (await askOnce(api, await path(api, entity), asked, requestId)).body as OperationRepresentation;
}

/** The outcome that the command is for: to cancel an operation succeeds where the operation ends as canceled. */
type Wanted = 'success' | 'canceled';

export interface OutcomeOptions {
  readonly json?: boolean;
  readonly wanted?: Wanted;
  /** Tells whether it is followed no further, though it runs. */
  readonly isOver?: IsOver;
}

/** Follows an operation to its end, and gives the exit code of its outcome. */
export async function follow(
  api: Api,
  followed: FollowedOperation,
  name: string,
  options: OutcomeOptions,
): Promise<number> {
  const operation = options.json
    ? await outcomeOf(api, followed.path, followed.isOver)
    : await showProgress(api, followed);
  return printOutcome(api, operation, name, options);
}

/** Prints how an operation has ended, and gives the exit code of that. */
export async function printOutcome(
  api: Api,
  operation: OperationRepresentation,
  name: string,
  { json, wanted = 'success' }: OutcomeOptions,
): Promise<number> {
  if (json) printJson(operation);
  else {
    const shown = (await namesForPeople(api)).operation(operation);
    printText(formatOutcome(shown, name));
  }
  return exitOf(operation, wanted);
}

/** The exit code of how an operation has ended. */
export function exitOf({ rejection, outcome }: Pick<OperationRepresentation, 'rejection' | 'outcome'>, wanted: Wanted) {
  // One that still runs is followed no further because the request was refused.
  if (rejection || outcome === 'running') return EXIT.rejected;
  return outcome === wanted ? EXIT.done : EXIT.failed;
}

function formatBegun(operation: OperationRepresentation, name: string): string {
  const { request_id: id, waits_behind: behind, '@reeve.execution': at } = operation;
  const word = behind === null ? 'accepted' : `waits behind ${behind}`;
  return [`${name}: ${word}`, `  operation ${id}`, ...(at === undefined ? [] : [pc.dim(`  ${at}`)])].join('\n');
}
