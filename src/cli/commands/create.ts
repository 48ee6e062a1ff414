import type { Command } from 'commander';
import { parseConstruct } from '../arguments.js';
import { examples } from '../examples.js';
import { run } from '../run.js';
import { requestOf, take, withTakeOptions, type TakeOptions } from '../take.js';

interface CreateOptions extends TakeOptions {
  /** `false`: without an event. */
  readonly event: string | false;
  readonly construct?: string;
}

/** `reeve create LogicalServer orders` */
export function defineCreate(program: Command): void {
  const command = program
    .command('create')
    .description('create an entity')
    .argument('<type>', 'like LogicalServer')
    .argument('<key>', 'like orders')
    .option('--event <event>', 'the event that creates it', 'create')
    .option('--no-event', 'create it without an event')
    .option('--construct <json>', 'what it comes to be with, as JSON')
    .option('--params <json>', 'parameters of the event, as JSON');
  withTakeOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve create LogicalServer orders --wait', 'and follow it until it is Ready'],
        ['reeve create LogicalServer orders --request-id 7 --json', 'for scripts: repeating it does no harm'],
      ),
    )
    .action(run(create));
}

async function create(type: string, key: string, options: CreateOptions): Promise<number> {
  const { event } = options;
  const construct = parseConstruct(options.construct);
  return take(options, ({ reeve }, params) => {
    const entity = reeve.entity(type);
    if (event === false) return reeve.construct(entity, key, construct ?? {}, requestOf(options));
    return reeve.createAny(entity, key, event, { ...requestOf(options), params, ...(construct && { construct }) });
  });
}
