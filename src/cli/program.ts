import { Command } from 'commander';
import { defineCheck } from './commands/check.js';
import { defineDiagram, defineTypes } from './commands/types.js';
import { defineCompletion } from './commands/completion.js';
import { defineDoctor } from './commands/doctor.js';
import { defineOpenApi } from './commands/openapi.js';
import { defineKeys } from './commands/keys/index.js';
import { defineStore } from './commands/store/index.js';
import { defineExplain } from './commands/explain.js';
import { defineUp } from './commands/up.js';
import { defineEntities } from './commands/entities.js';
import { defineEvents } from './commands/events.js';
import { defineOperations } from './commands/operations/index.js';
import { defineTransitions } from './commands/transitions.js';
import { defineGet } from './commands/get.js';
import { defineCreate } from './commands/create.js';
import { defineRaise } from './commands/raise.js';
import { defineRetry } from './commands/retry.js';
import { defineMarkLost } from './commands/mark-lost.js';
import { EXIT } from './exit.js';
import { TASK_QUEUE_VARIABLE } from './task-queue.js';
import { ownPackage } from './version.js';

const RULES = `
--json prints one JSON document: an object; of a list { "items": [...] }, with "next" where there is more. An error is an
object with "code" and "message", on standard error. NO_COLOR turns colours off.

Each command takes --task-queue. Without it, the task queue is what REEVE_TASK_QUEUE names, or package.json:
"reeve": { "taskQueue": "control-plane" }, or else 'reeve'. What exists stays on the task queue on which it was created.

Exit codes: 0 done; 1 it failed; 2 rejected, or the command was not right; 3 the service, the store or a worker cannot be
reached.`;

/** The command `reeve` with all that it can do. S6.3 */
export function createProgram(): Command {
  const program = new Command('reeve')
    .description('Works with entities: managed things, each a state machine that runs as a durable workflow.')
    .version(ownPackage().version, '-V, --version', 'show the version')
    .option('--task-queue <queue>', 'the task queue of the workers and of what is created; also REEVE_TASK_QUEUE')
    // What a command starts gets it as well.
    .on('option:task-queue', (queue: string) => (process.env[TASK_QUEUE_VARIABLE] = queue))
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', RULES)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.rejected));

  program.commandsGroup('Entities:');
  for (const define of [
    defineEntities,
    defineGet,
    defineExplain,
    defineCreate,
    defineRaise,
    defineRetry,
    defineMarkLost,
  ])
    define(program);
  program.commandsGroup('What happened:');
  for (const define of [defineOperations, defineEvents, defineTransitions]) define(program);
  program.commandsGroup('Declarations:');
  for (const define of [defineTypes, defineDiagram, defineCheck, defineOpenApi]) define(program);
  program.commandsGroup('The stack:');
  for (const define of [defineUp, defineDoctor, defineStore, defineKeys]) define(program);
  program.commandsGroup('Help:');
  defineCompletion(program);
  return program;
}
