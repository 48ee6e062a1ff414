import type { Command } from 'commander';
import { CREATED } from '../../definition/created.js';
import type { Api } from '../api/api.js';
import { creationEvent } from '../api/creation-event.js';
import { pathOfType } from '../api/type-paths.js';
import { remoteSettings } from '../api/remote-settings.js';
import { parseConstruct, parseParams, parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { run } from '../run.js';
import { take, withTakeOptions, type TakeOptions } from '../take.js';
import { TASK_QUEUE_VARIABLE } from '../../project/task-queue.js';
import { UsageError } from '../usage-error.js';

interface CreateOptions extends TakeOptions {
  /** `false`: without an event. Nothing: `create`, where it is declared. */
  readonly event?: string | false;
  readonly construct?: string;
  readonly tenant?: string;
}

/** `reeve create LogicalServer/orders` */
export function defineCreate(program: Command): void {
  const command = program
    .command('create')
    .description('create an entity')
    .argument(
      '<new-entity>',
      'type and key, like LogicalServer/orders; a key with several parts, like Database/demo,sales or Database/server=demo,name=sales',
    )
    .option('--event <event>', 'the event that creates it (default: create, if declared)')
    .option('--no-event', 'create it without an event')
    .option('--construct <json>', 'values for its properties and links, as JSON')
    .option('--params <json>', 'parameters of the event, as JSON')
    .option('--tenant <tenant>', 'its tenant, if the type has tenants');
  withTakeOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve create LogicalServer/orders --wait', 'create it, and follow it until it is Ready'],
        ['reeve create LogicalServer/orders --request-id 7 --json', 'for scripts: safe to repeat'],
      ),
    )
    .action(run(create));
}

async function create(target: string, options: CreateOptions): Promise<number> {
  refuseTaskQueue();
  const entity = parseTarget(target);
  const { type } = entity;
  const { tenant } = options;
  const raised = async (api: Api) =>
    options.event === false ? undefined : (options.event ?? creationEvent(api, type));
  const [construct, parameters] = [parseConstruct(options.construct), parseParams(options.params)];
  return take(options, {
    ...{ entity, event: async (api) => (await raised(api)) ?? CREATED },
    path: (api) => pathOfType(api, type),
    json: async (api, { key: text }) => {
      const event = await raised(api);
      return {
        key: text,
        ...(event !== undefined && { event }),
        ...(parameters !== undefined && { parameters }),
        ...(construct && { construct }),
        ...(tenant !== undefined && { tenant }),
      };
    },
  });
}

/** Refuses a task queue over HTTP, where the service chooses it. @throws UsageError */
function refuseTaskQueue(env: NodeJS.ProcessEnv = process.env): void {
  const [remote, taskQueue] = [remoteSettings(env), env[TASK_QUEUE_VARIABLE]];
  if (!remote || !taskQueue) return;
  throw new UsageError(
    `The service at ${remote.url} (REEVE_API) creates entities on its own task queue, not on '${taskQueue}'. ` +
      `Remove --task-queue and REEVE_TASK_QUEUE.`,
  );
}
