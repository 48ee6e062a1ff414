import type { Command } from 'commander';
import type { Api } from '../api/api.js';
import { readExplanation } from '../api/explanation.js';
import { pathOfOperation, requestIdOf } from '../api/operation.js';
import { pathOfEntity } from '../api/type-paths.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { explanationForPeople } from '../explanation/explanation-for-people.js';
import { formatExplanation } from '../explanation/view.js';
import { printJson } from '../json.js';
import { meantBy } from '../key-by-parts.js';
import { namesForPeople } from '../names-for-people.js';
import { run } from '../run.js';

interface ExplainOptions {
  readonly json?: boolean;
}

/** `reeve explain LogicalServer/orders` S5.4 */
export function defineExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'say what an entity waits for, down to attempts, errors, reservations, missing workers and failing tasks',
    )
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--json', 'the tree, as JSON')
    .addHelpText('after', examples(['reeve explain LogicalServer/orders', 'why it is not Ready']))
    .action(
      run((target: string, options: ExplainOptions) =>
        explain(options, async (api) => pathOfEntity(api, await meantBy(api, parseTarget(target)))),
      ),
    );
}

/** `reeve operations explain 1807381927000123` S5.4 */
export function defineOperationsExplain(operations: Command): void {
  operations
    .command('explain')
    .description('say what an operation waits for, participant by participant')
    .argument('<operation>', 'its operation id or request id')
    .option('--json', 'the tree, as JSON')
    .addHelpText('after', examples(['reeve operations explain 1807381927000123', 'why it has not ended']))
    .action(
      run((id: string, options: ExplainOptions) =>
        explain(options, async (api) => pathOfOperation(await requestIdOf(api, id))),
      ),
    );
}

async function explain({ json }: ExplainOptions, pathOf: (api: Api) => Promise<string>): Promise<number> {
  return withApi('workflows', async (api) => {
    const explanation = await readExplanation(api, await pathOf(api));
    if (json) printJson(explanation);
    else {
      const shown = explanationForPeople(explanation, await namesForPeople(api));
      console.log(formatExplanation(shown) || 'It waits for nothing.');
    }
    return EXIT.done;
  });
}
