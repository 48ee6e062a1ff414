import type { Command } from 'commander';
import { readOpenCallbacks } from '../../api/callbacks.js';
import { nameOf } from '../../api/entity.js';
import { withApi } from '../../api/with-api.js';
import { parseTarget } from '../../arguments.js';
import { callbackLines } from '../../callback-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { meantBy } from '../../key-by-parts.js';
import { run } from '../../run.js';

/** `reeve callbacks list Order/o` A1 */
export function defineCallbacksList(callbacks: Command): void {
  callbacks
    .command('list')
    .description('list the answers that an entity awaits from outside, with the commands that give them')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--json', 'as JSON, with the ids and the schemas of what is to be answered')
    .addHelpText('after', examples(['reeve callbacks list LogicalServer/orders', 'where each is answered']))
    .action(run(list));
}

async function list(target: string, { json }: { readonly json?: boolean }): Promise<number> {
  return withApi('workflows', async (api) => {
    const entity = await meantBy(api, parseTarget(target));
    const items = await readOpenCallbacks(api, entity);
    if (json) printJson({ items });
    else {
      const lines = items.flatMap((each) => callbackLines(each, Date.now()));
      console.log(lines.join('\n') || `${nameOf(entity)} awaits no answer from outside.`);
    }
    return EXIT.done;
  });
}
