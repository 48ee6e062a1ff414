import { Client, Connection } from '@temporalio/client';
import type { Command } from 'commander';
import { ReeveClient } from '../../client/client.js';
import { loadModules } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { run } from '../run.js';

/** `reeve openapi` S6.1 */
export function defineOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the management service; needs no service')
    .addHelpText('after', examples(['reeve openapi > openapi.json', 'to make clients of, or to compare versions']))
    .action(run(openApi));
}

async function openApi(): Promise<number> {
  const modules = await loadModules();
  // Other commands start faster without what this one needs.
  const { default: pino } = await import('pino');
  const { createApplication } = await import('../../service/application.js');
  // The document is made of the declarations: nothing connects.
  const connection = Connection.lazy();
  const entities = modules.flatMap((module) => module.entities);
  const reeve = new ReeveClient({ client: new Client({ connection }), entities });
  const application = createApplication({ reeve, modules, log: pino({ level: 'silent' }) });
  const answer = await application.fetch(new Request('http://localhost/openapi.json'));
  printJson(await answer.json());
  await connection.close();
  return EXIT.done;
}
