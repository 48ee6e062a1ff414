import type { Command } from 'commander';
import type { Explanation } from '../../client/explain/explanation.js';
import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { Api } from '../api/api.js';
import { pendingCallbacksIfTold } from '../api/callbacks.js';
import { readAllowedEvents } from '../api/entity.js';
import { readExplanation } from '../api/explanation.js';
import { withQuestions } from '../api/question.js';
import { readReach } from '../api/reach.js';
import { distributedOf, pathOfOperation, readOperation, requestIdOf } from '../api/operation.js';
import { pathOfEntity } from '../api/type-paths.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { callbackLines } from '../callback-words.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { explanationForPeople } from '../explanation/explanation-for-people.js';
import { nextOfOperation, nextStep, restingInError } from '../explanation/next-steps.js';
import { reachLines } from '../explanation/reach/reach-words.js';
import { runnerWords } from '../explanation/service-words.js';
import { inWords } from '../explanation/time-words.js';
import { formatExplanation } from '../explanation/view.js';
import { printText } from '../fold.js';
import { printJson } from '../json.js';
import { meantBy } from '../key-by-parts.js';
import { namesForPeople, type NamesForPeople } from '../names-for-people.js';
import { run } from '../run.js';
import { UsageError } from '../usage-error.js';

interface ExplainOptions {
  readonly json?: boolean;
}

interface ExplainEntityOptions extends ExplainOptions {
  readonly event?: string;
}

/** `reeve explain LogicalServer/orders` S5.4 */
export function defineExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'show what an entity waits for, down to attempts, errors, reservations, missing workers and failing tasks',
    )
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--event <event>', 'show instead what that event would reach, such as a delete; nothing is raised')
    .option('--json', 'the tree, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve explain LogicalServer/orders', 'why it is not Ready'],
        ['reeve explain LogicalServer/orders --event delete', 'the entities that the delete ends or changes'],
      ),
    )
    .action(
      run((target: string, options: ExplainEntityOptions) =>
        withApi('either', async (api) => {
          const entity = await meantBy(api, parseTarget(target));
          if (options.event !== undefined) return explainEvent(api, entity, options.event, options);
          const explanation = await readExplanation(api, await pathOfEntity(api, entity));
          await print(api, explanation, options);
          if (!options.json && waitsOnCallback(explanation)) await printCallbacks(api, entity);
          return EXIT.done;
        }),
      ),
    );
}

/** Shows which entities an event would reach. S6.3 */
async function explainEvent(api: Api, entity: EntityRef, called: string, { json }: ExplainOptions): Promise<number> {
  const names = await namesForPeople(api);
  const reach = await readReach(api, entity, names.eventCalled(entity.type, called));
  if (json) printJson(reach);
  else printText(reachLines(reach, names).join('\n'));
  return EXIT.done;
}

/** `reeve operations explain 883cc7632dd9` S5.4 */
export function defineOperationsExplain(operations: Command): void {
  operations
    .command('explain')
    .description('show what an operation waits for, entity by entity')
    .argument('<operation>', 'its id, or its short id')
    .option('--json', 'the tree, as JSON')
    .addHelpText('after', examples(['reeve operations explain 883cc7632dd9', 'why it has not ended']))
    .action(
      run((id: string, options: ExplainOptions) =>
        withApi('either', async (api) => {
          const path = pathOfOperation(await requestIdOf(api, id));
          const distributed = distributedOf(await readOperation(api, path));
          if (distributed !== undefined) {
            throw new UsageError(
              `This operation runs over partitions. 'reeve distributed show ${distributed}' shows what it waits for.`,
            );
          }
          await print(api, await readExplanation(api, path), options);
          return EXIT.done;
        }),
      ),
    );
}

async function print(api: Api, explanation: Explanation, { json }: ExplainOptions): Promise<void> {
  if (json) return printJson(explanation);
  const names = await namesForPeople(api);
  printText(formatExplanation(explanationForPeople(explanation, names)) || 'It waits for nothing.');
  const { at, lastTask: last } = explanation;
  if (last) printText(`Last run by ${runnerWords(last)}, ${inWords(at - last.at)} ago.`);
  const steps = [...nextOfOperation(explanation), ...(await nextSteps(api, explanation, names))];
  if (steps.length > 0) printText(`\n${steps.join('\n')}`);
}

/** Gives the next step for the entities that rest in an error state. */
async function nextSteps(api: Api, explanation: Explanation, names: NamesForPeople): Promise<readonly string[]> {
  return Promise.all(
    restingInError(explanation).map(async ({ entity }) => {
      const ref = parseEntityId(entity)!;
      // Events that are not valid now are of no use, nor is it a problem here that no worker tells which are.
      const events = await readAllowedEvents(api, ref).catch(() => []);
      return nextStep(entity, names.allowedEvents(ref.type, events));
    }),
  );
}

/** Tells whether the entity itself awaits an answer from outside. */
function waitsOnCallback({ entities: [node] }: Explanation): boolean {
  if (node?.kind !== 'entity') return false;
  return node.waits.some(
    (wait) => wait.kind === 'callback' || (wait.kind === 'action' && wait.awaits.some(({ kind }) => kind === 'answer')),
  );
}

/** Shows operators how that is answered. */
async function printCallbacks(api: Api, entity: EntityRef): Promise<void> {
  const pending = await withQuestions(api, entity, await pendingCallbacksIfTold(api, entity));
  const lines = pending.flatMap(({ input, ...each }) => callbackLines(entity, each, input, Date.now()));
  if (lines.length > 0)
    console.log(['', 'You can answer here, and so can anyone with the address:', ...lines].join('\n'));
}
