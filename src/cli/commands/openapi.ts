import type { Command } from 'commander';
import { withApi } from '../api/with-api.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { run } from '../run.js';

/** `reeve openapi` S6.1 */
export function defineOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the management service; no service has to run')
    .addHelpText('after', examples(['reeve openapi > openapi.json', 'to generate clients, or to compare versions']))
    .action(run(openApi));
}

async function openApi(): Promise<number> {
  return withApi('nothing', async (api) => {
    printJson((await api.ask('GET', '/openapi.json')).body);
    return EXIT.done;
  });
}
