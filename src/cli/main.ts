#!/usr/bin/env node
import { Command } from 'commander';
import { Rejected } from '../protocol/errors.js';
import { check } from './commands/check.js';
import { explainEntity, explainOperation } from './commands/explain.js';
import { create, raise, type CreateCommandOptions, type RaiseCommandOptions } from './commands/raise.js';
import { get } from './commands/get.js';
import { rebuildStore } from './commands/store-rebuild.js';
import { diagram, types } from './commands/types.js';
import { UsageError } from './definitions.js';
import { EXIT } from './exit.js';
import { formatRejection } from './output.js';

const EXIT_CODES = `
Exit codes: 0 done; 1 the operation failed; 2 rejected, or the command was not right; 3 the service cannot be reached.`;

const program = new Command('reeve')
  .description('Works with entities: managed things, each a state machine that runs as a durable workflow.')
  .addHelpText('after', EXIT_CODES)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.rejected));

program
  .command('get')
  .description('show an entity: its state, properties, successors and valid events')
  .argument('<entity>', 'type and key, like LogicalServer/orders')
  .option('--json', 'everything, as JSON')
  .action(run((entity: string, options: { json?: boolean }) => get(entity, options)));

program
  .command('create')
  .description('create an entity')
  .argument('<type>', 'like LogicalServer')
  .argument('<key>', 'like orders')
  .option('--event <event>', 'the event that creates it', 'create')
  .option('--no-event', 'create it without an event')
  .option('--construct <json>', 'what it comes to be with, as JSON')
  .option('--params <json>', 'parameters of the event, as JSON')
  .option('--request-id <id>', 'the same id again gives the first outcome and runs nothing')
  .option('--wait', 'follow the operation to its end')
  .option('--json', 'the answer or the result, as JSON')
  .addHelpText('after', '\nExample:\n  reeve create LogicalServer orders --wait')
  .action(run((type: string, key: string, options: CreateCommandOptions) => create(type, key, options)));

program
  .command('raise')
  .description('raise an event on an entity')
  .argument('<entity>', 'type and key, like LogicalServer/orders')
  .argument('<event>', 'like delete')
  .option('--params <json>', 'parameters of the event, as JSON')
  .option('--request-id <id>', 'the same id again gives the first outcome and runs nothing')
  .option('--wait', 'follow the operation to its end')
  .option('--json', 'the answer or the result, as JSON')
  .addHelpText('after', '\nExample:\n  reeve raise LogicalServer/orders delete --wait')
  .action(run((entity: string, event: string, options: RaiseCommandOptions) => raise(entity, event, options)));

program
  .command('explain')
  .description('tell what an entity waits for, down to attempts, reservations and missing workers')
  .argument('<entity>', 'type and key, like LogicalServer/orders')
  .option('--json', 'the tree, as JSON')
  .action(run((entity: string, options: { json?: boolean }) => explainEntity(entity, options)));

const operations = program.command('operations').description('work with operations');

operations
  .command('explain')
  .description('tell what an operation waits for, from participant to participant')
  .argument('<operation>', 'its id, as the command that began it has shown it')
  .option('--json', 'the tree, as JSON')
  .action(run((operation: string, options: { json?: boolean }) => explainOperation(operation, options)));

program
  .command('types')
  .description('list the entity types with their states and events')
  .option('--json', 'everything, with the schemas of parameters, as JSON')
  .action(run((options: { json?: boolean }) => types(options)));

program
  .command('check')
  .description('check the declarations together: states that never settle, waits for ever, events that nothing raises')
  .option('--json', 'the problems, as JSON')
  .action(run((options: { json?: boolean }) => check(options)));

program
  .command('diagram')
  .description('draw an entity type as a Mermaid state diagram')
  .argument('<type>', 'like LogicalServer')
  .action(run((type: string) => diagram(type)));

const storeCommand = program.command('store').description('the PostgreSQL in which rows of all that happened are kept');

storeCommand
  .command('rebuild')
  .description('make the rows again from the workflows that Temporal still has; deletes nothing that they do not tell')
  .option('--json', 'what was found and what was not, as JSON')
  .addHelpText('after', '\nExample:\n  reeve store rebuild')
  .action(run((options: { json?: boolean }) => rebuildStore(options)));

await program.parseAsync();

/** Sets the exit code, and says what went wrong so that the reader knows what to do. */
function run<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  return async (...args: Args): Promise<void> => {
    try {
      process.exitCode = await command(...args);
    } catch (thrown) {
      process.exitCode = explain(
        thrown,
        args.some((arg) => (arg as { json?: boolean } | undefined)?.json === true),
      );
    }
  };
}

function explain(thrown: unknown, json: boolean): number {
  if (thrown instanceof Rejected) {
    console.error(json ? JSON.stringify(thrown.rejection) : formatRejection(thrown.rejection));
    return thrown.code === 'no_worker' ? EXIT.unreachable : EXIT.rejected;
  }
  if (thrown instanceof UsageError) {
    console.error(thrown.message);
    return EXIT.rejected;
  }
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  return EXIT.unreachable;
}
