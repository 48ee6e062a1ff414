import { Command, type Argument } from 'commander';
import { EXIT } from './exit.js';
import { addFormatOption } from './format.js';
import { foldParagraph } from './fold.js';
import { helpWidth } from './help-width.js';
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
  'Deployments (each runs a tree of components as one workflow):': {
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
    schema: async () => (await import('./commands/schema.js')).defineSchema,
  },
  'Builds of the workflow code:': {
    rollout: async () => (await import('./commands/rollout/index.js')).defineRollout,
    replay: async () => (await import('./commands/replay/index.js')).defineReplay,
  },
  'The project:': {
    init: async () => (await import('./commands/init.js')).defineInit,
    import: async () => (await import('./commands/import.js')).defineImport,
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

const RULES = [
  `An entity has settled when it rests in a stable state; an operation, when all of its entities have. The successors of an entity are
  those that it has created or raised events on. A dimension is a property, link or key by which lists are filtered. A
  reservation is an exclusive lock on an entity. A callback is an address at which an answer from outside is awaited: it
  completes a call, or raises an event. A component is a step or service
  that is declared in code; a deployment runs a tree of components as one workflow. An operation over partitions runs a job on each
  partition of its target, like a table. A place is a named location of replicas of partitions, like a data center.`,
  `-o chooses the form: table, wide (cuts nothing off), name (names or ids only), json or yaml. --json is -o json: one document. A
  list is { "items": [...] }, with "next" if there are more pages. An error is an object with "code" and "message", on standard
  error. NO_COLOR turns colors off.`,
  `Name an entity by its type and key: LogicalServer/orders. Write the parts of a key in their order, like Database/demo,sales, or
  by name, like Database/name=sales,server=demo. Write ~1 for a comma within a part, and ~0 for ~. Name an operation by its id, or by
  its short id: at least the last 12 characters of what a list shows of it.`,
  `REEVE_API is the address of a management service. If it is set, commands about entities and history call that service, with the
  rights of the API key or JSON Web Token in REEVE_API_KEY. Otherwise they connect to TEMPORAL_ADDRESS and DATABASE_URL or, if
  these are not set, to the stack of the data directory. Without
  REEVE_API, they appear as USER@HOST in the audit trail.`,
  `The task queue is the first of these that is set: the option --task-queue, which every command has; the variable
  REEVE_TASK_QUEUE; and the entry "reeve": { "taskQueue": "control-plane" } of package.json. By default, it is 'reeve'. An entity stays
  on the task queue on which it was created.`,
  `Exit codes: 0 success, which is the end as canceled for 'cancel --wait'; 1 failure; 2 the event was rejected, or the command is invalid; 3 the service, the store or a worker is
  unavailable.`,
];
/** With less space than this, descriptions stand below what they are about. */
const NARROW = 20;

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
    .configureOutput({ outputError: (text, write) => write(withNearSuggestion(text)), getOutHelpWidth: helpWidth })
    .configureHelp({ minWidthToWrap: NARROW, subcommandTerm: withoutOptions })
    .addHelpText('after', () => RULES.map((rule) => `\n${foldParagraph(rule, helpWidth()).join('\n')}`).join('\n'))
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
  addFormatOption(program);
  showUsageAfterError(program);
  refuseUnknownHelp(program, words);
  refuseUnknownSubcommand(program, words);
  await addTypeHelp(program, words);
  return program;
}

/** Adds to the error of a command that was typed wrongly how it is written. */
function showUsageAfterError(command: Command, before = ''): void {
  const name = before + command.name();
  const isGroup = command.commands.length > 0;
  command.showHelpAfterError(isGroup ? `'${name} --help' lists its commands.` : `Usage: ${name} ${command.usage()}`);
  for (const each of command.commands) showUsageAfterError(each, `${name} `);
}

/** A command in a list of them: most have options, so that it is not said of each. */
function withoutOptions(command: Command): string {
  const args = command.registeredArguments.map((argument) => ` ${humanReadableArgName(argument)}`);
  return [command.name(), ...command.aliases().slice(0, 1)].join('|') + args.join('');
}

/** Adds what an entity type takes to the help that is asked of it: `reeve create LogicalServer/orders --help`. */
async function addTypeHelp(program: Command, words: readonly string[]): Promise<void> {
  if (!words.includes('-h') && !words.includes('--help')) return;
  const name = words.find((word) => word === 'create' || word === 'raise');
  const [target = '', event] = name === undefined ? [] : words.slice(words.indexOf(name) + 1);
  if (name === undefined || !/^[A-Za-z]/.test(target)) return;
  const { typeHelp } = await import('./type-help.js');
  const command = program.commands.find((each) => each.name() === name);
  const text = await typeHelp(name === 'create' ? { creates: target } : { raisesOn: target, event });
  command?.addHelpText('after', text === '' ? '' : `\n${text}`);
}

/** `[type]`, `<entity>`, `[histories...]` */
function humanReadableArgName(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Refuses `reeve help foo`, for which Commander shows the help of all commands. */
function refuseUnknownHelp(program: Command, [first, asked]: readonly string[]): void {
  if (first !== 'help' || asked === undefined || asked.startsWith('-')) return;
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  if (!names.includes(asked)) program.error(`error: unknown command '${asked}'.${didYouMean(asked, names)}`);
}

/** Refuses `reeve deployments show`, which Commander takes for arguments of `reeve deployments list`. */
function refuseUnknownSubcommand(program: Command, [first, asked]: readonly string[]): void {
  const group = program.commands.find((command) => command.name() === first);
  if (!group || group.commands.length === 0 || group.registeredArguments.length > 0) return;
  if (asked === undefined || asked === 'help' || asked.startsWith('-')) return;
  const names = group.commands.map((command) => command.name());
  if (!names.includes(asked)) group.error(`error: unknown command '${asked}'.${didYouMean(asked, names)}`);
}

/** Removes a suggestion that is not near: Commander suggests `follow` for `foo`. */
function withNearSuggestion(text: string): string {
  return text.replace(
    /('([^']+)')\n\(Did you mean (?:one of )?([^?]+)\?\)/,
    (whole, word: string, given: string, names: string) => (didYouMean(given, names.split(', ')) === '' ? word : whole),
  );
}
