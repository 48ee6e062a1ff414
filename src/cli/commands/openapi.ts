import type { Command } from 'commander';
import { withApi } from '../api/with-api.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonAsIs } from '../json.js';
import { run } from '../run.js';

/** `reeve openapi` S6.1 */
export function defineOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the management service; no service needs to be running')
    .addHelpText('after', examples(['reeve openapi > openapi.json', 'to generate clients, or to compare versions']))
    .action(run(openApi));
}

async function openApi(): Promise<number> {
  return withApi('nothing', async (api) => {
    printJsonAsIs((await api.ask('GET', '/openapi.json')).body);
    return EXIT.done;
  });
}
