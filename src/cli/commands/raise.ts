import type { Command } from 'commander';
import { parseParams, parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { namesForPeople } from '../names-for-people.js';
import { raiseMany } from '../raise-many.js';
import { run } from '../run.js';
import { UsageError } from '../usage-error.js';
import { onPath, take, withTakeOptions, withVersionOption, type Request, type TakeOptions } from '../take.js';

/** `reeve raise LogicalServer/orders delete` */
export function defineRaise(program: Command): void {
  const command = program
    .command('raise')
    .description('raise an event on an entity')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .argument('<event>', 'like delete')
    .option('--params <json>', 'parameters of the event, as JSON')
    .option('--also <entities...>', 'raise the same event on these too, in one request');
  withTakeOptions(withVersionOption(command))
    .addHelpText(
      'after',
      examples(
        ['reeve raise LogicalServer/orders delete', 'without waiting'],
        ['reeve raise LogicalServer/orders delete --wait', 'raise it, and follow the operation until it ends'],
        ['reeve raise Alias/a delete --also Alias/b Alias/c', 'on three entities, with a report'],
        ['reeve explain LogicalServer/orders --event delete', 'before: what the delete would end, at all levels'],
        ['reeve raise LogicalServer/orders delete --if-match 4', 'only if it still has version 4'],
      ),
    )
    .action(run(raise));
}

interface RaiseOptions extends TakeOptions {
  readonly also?: readonly string[];
}

async function raise(target: string, event: string, options: RaiseOptions): Promise<number> {
  const entity = parseTarget(target);
  const json = parseParams(options.params);
  if (options.also) {
    if (options.wait || options.ifMatch !== undefined) {
      throw new UsageError('--also goes neither with --wait nor with --if-match: these are about one entity.');
    }
    const entities = [entity, ...options.also.map(parseTarget)];
    return raiseMany({ entities, event, ...(json !== undefined && { parameters: json }) }, options);
  }
  const path: Request['path'] = async (api, meant) => {
    const name = (await namesForPeople(api)).eventCalled(entity.type, event);
    // Only plain names go into the path: the other calls on an entity have commands of their own.
    if (/^\w+$/.test(name)) return onPath(name)(api, meant);
    throw new UsageError(`'${event}' is not a name of an event. Write it like delete.`);
  };
  return take(options, { entity, event, path, ...(json !== undefined && { json: () => json }) });
}
