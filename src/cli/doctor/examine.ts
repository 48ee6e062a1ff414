import { Project } from '../../project/project.js';
import { TASK_QUEUE_VARIABLE } from '../../project/task-queue.js';
import { DEFAULT_TASK_QUEUE } from '../../protocol/names.js';
import { dataDirectoryFrom, readStack } from '../../stack/data-directory.js';
import { configuredService } from '../../stack/service.js';
import { messageOf } from '../../definition/thrown.js';
import { attention } from './attention.js';
import { dataDirectory } from './data-directory.js';
import { declarations } from './declarations.js';
import { problem, type Check, type Finding } from './finding.js';
import { node } from './node.js';
import { ports } from './ports.js';
import { postgresPrograms, temporalExecutable } from './programs.js';
import { store } from './store.js';
import { temporalService } from './temporal-service.js';

const CHECKS: readonly Check[] = [
  node,
  declarations,
  dataDirectory,
  temporalExecutable,
  postgresPrograms,
  ports,
  temporalService,
  store,
  attention,
];

/** Looks at everything that Reeve needs around it. Changes nothing. */
export async function examine(env: NodeJS.ProcessEnv = process.env): Promise<readonly Finding[]> {
  const home = dataDirectoryFrom(env);
  const configured = configuredService(env);
  // The check of the data directory reports why it cannot be read. The other checks go on without it.
  const stack = await readStack(home).catch(() => undefined);
  const taskQueue = await taskQueueOf(env);
  const surroundings = { env, home, taskQueue, ...(stack && { stack }), ...(configured && { configured }) };
  const found = await Promise.all(
    CHECKS.map(({ about, look }) =>
      look(surroundings).catch((thrown: unknown) => [problem(about, messageOf(thrown), 'Fix that, and run it again.')]),
    ),
  );
  return found.flat();
}

/** The check of the declarations reports what is wrong with the project. The other checks go on without it. */
async function taskQueueOf(env: NodeJS.ProcessEnv): Promise<string> {
  return Project.find().then(
    (project) => project.taskQueue(env),
    () => env[TASK_QUEUE_VARIABLE] || DEFAULT_TASK_QUEUE,
  );
}
