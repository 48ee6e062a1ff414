import { Command } from 'commander';
import { EXIT } from './exit.js';
import { TASK_QUEUE_VARIABLE } from '../project/task-queue.js';
import { didYouMean } from '../definition/did-you-mean.js';
import { ownPackage } from '../packages/own-package.js';

type Define = (program: Command) => void;

/**
 * The commands. Each is loaded only when it is named or all are needed, since the code for one can cost all others half a
 * second.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<Define>>>>> = {
  'Entities:': {
    entities: async () => (await import('./commands/entities.js')).defineEntities,
    get: async () => (await import('./commands/get.js')).defineGet,
    explain: async () => (await import('./commands/explain.js')).defineExplain,
    create: async () => (await import('./commands/create.js')).defineCreate,
    raise: async () => (await import('./commands/raise.js')).defineRaise,
    follow: async () => (await import('./commands/follow.js')).defineFollow,
    callbacks: async () => (await import('./commands/callbacks/index.js')).defineCallbacks,
    retry: async () => (await import('./commands/retry.js')).defineRetry,
    'mark-lost': async () => (await import('./commands/mark-lost.js')).defineMarkLost,
  },
  'Deployments of components:': {
    deploy: async () => (await import('./commands/deploy.js')).defineDeploy,
    deployments: async () => (await import('./commands/deployments/index.js')).defineDeployments,
  },
  'Operations over partitions:': {
    distributed: async () => (await import('./commands/distributed/index.js')).defineDistributed,
  },
  'What happened:': {
    attention: async () => (await import('./commands/attention.js')).defineAttention,
    operations: async () => (await import('./commands/operations/index.js')).defineOperations,
    events: async () => (await import('./commands/events.js')).defineEvents,
    transitions: async () => (await import('./commands/transitions.js')).defineTransitions,
    calls: async () => (await import('./commands/calls.js')).defineCalls,
    errors: async () => (await import('./commands/errors.js')).defineErrors,
    summary: async () => (await import('./commands/summary.js')).defineSummary,
    changes: async () => (await import('./commands/changes/index.js')).defineChanges,
    rejections: async () => (await import('./commands/rejections.js')).defineRejections,
    audit: async () => (await import('./commands/audit.js')).defineAudit,
  },
  'Declarations:': {
    types: async () => (await import('./commands/types.js')).defineTypes,
    diagram: async () => (await import('./commands/types.js')).defineDiagram,
    check: async () => (await import('./commands/check.js')).defineCheck,
    model: async () => (await import('./commands/model.js')).defineModel,
    diff: async () => (await import('./commands/diff/index.js')).defineDiff,
    openapi: async () => (await import('./commands/openapi.js')).defineOpenApi,
  },
  'Builds of the workflow code:': {
    rollout: async () => (await import('./commands/rollout/index.js')).defineRollout,
    replay: async () => (await import('./commands/replay/index.js')).defineReplay,
  },
  'The project:': {
    init: async () => (await import('./commands/init.js')).defineInit,
    build: async () => (await import('./commands/build.js')).defineBuild,
    prepare: async () => (await import('./commands/prepare.js')).definePrepare,
    worker: async () => (await import('./commands/worker.js')).defineWorker,
    service: async () => (await import('./commands/service.js')).defineService,
    executor: async () => (await import('./commands/executor.js')).defineExecutor,
  },
  'The stack:': {
    up: async () => (await import('./commands/up.js')).defineUp,
    doctor: async () => (await import('./commands/doctor.js')).defineDoctor,
    store: async () => (await import('./commands/store/index.js')).defineStore,
    replica: async () => (await import('./commands/replica/index.js')).defineReplica,
    keys: async () => (await import('./commands/keys/index.js')).defineKeys,
    'payload-keys': async () => (await import('./commands/payload-keys/index.js')).definePayloadKeys,
  },
  'Help:': {
    completion: async () => (await import('./commands/completion.js')).defineCompletion,
  },
};
const NAMES = Object.values(GROUPS).flatMap((commands) => Object.keys(commands));
/** The words that need all commands. */
const OF_ALL = ['help', '-h', '--help', 'completion', '__complete'];
/** The words that need none. */
const OF_NONE = ['-V', '--version'];

const RULES = `
--json prints one JSON document. A list is { "items": [...] }, with "next" if there are more pages. An error is an object with
"code" and "message", on standard error. NO_COLOR turns colors off.

Name an entity by its type and key: LogicalServer/orders. Write the parts of a key in their order, like Database/demo,sales,
or by name, like Database/name=sales,server=demo. Write ~1 for a comma within a part, and ~0 for ~.

REEVE_API is the address of a management service. If it is set, commands about entities and history call that service, with
the rights of the API key or JSON Web Token in REEVE_API_KEY. If not, they use the data directory, as 'operator' in the audit
trail.

The task queue is the first of these that is set: --task-queue (of every command), REEVE_TASK_QUEUE, and in package.json
"reeve": { "taskQueue": "control-plane" }. The default task queue is 'reeve'. Entities stay on the one on which they were created.

Exit codes: 0 success; 1 failure; 2 the event was rejected, or the command is invalid; 3 the service, the store or a worker
is unavailable.`;

/** The command `reeve`, with the commands that these words need. S6.3 */
export async function createProgram(words: readonly string[] = OF_ALL): Promise<Command> {
  const program = new Command('reeve')
    .description('Works with entities: managed things, each a state machine that runs as a durable workflow.')
    .version(ownPackage().version, '-V, --version', 'show the version')
    .option('--task-queue <queue>', 'the task queue of the workers and of new entities; also REEVE_TASK_QUEUE')
    // Processes that a command starts get it too.
    .on('option:task-queue', (queue: string) => (process.env[TASK_QUEUE_VARIABLE] = queue))
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureOutput({ outputError: (text, write) => write(withNearSuggestion(text)) })
    .addHelpText('after', RULES)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.rejected));

  const named = NAMES.filter((name) => words.includes(name));
  const isNamed = named.length > 0 || OF_NONE.includes(words[0] ?? '');
  const needed = isNamed && !OF_ALL.some((word) => words.includes(word)) ? named : NAMES;
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) {
      if (needed.includes(name)) (await load())(program);
    }
  }
  refuseUnknownHelp(program, words);
  return program;
}

/** Refuses `reeve help foo`, for which Commander shows the help of all commands. */
function refuseUnknownHelp(program: Command, [first, asked]: readonly string[]): void {
  if (first !== 'help' || asked === undefined || asked.startsWith('-')) return;
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  if (!names.includes(asked)) program.error(`error: unknown command '${asked}'.${didYouMean(asked, names)}`);
}

/** Removes a suggestion that is not near: Commander suggests `follow` for `foo`. */
function withNearSuggestion(text: string): string {
  return text.replace(
    /('([^']+)')\n\(Did you mean (?:one of )?([^?]+)\?\)/,
    (whole, word: string, given: string, names: string) => (didYouMean(given, names.split(', ')) === '' ? word : whole),
  );
}
