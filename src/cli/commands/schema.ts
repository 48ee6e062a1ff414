import type { Command } from 'commander';
import { didYouMean } from '../../definition/did-you-mean.js';
import { withApi } from '../api/with-api.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonAsIs } from '../json.js';
import { run } from '../run.js';
import type { ApiDocument } from '../schema/api-schemas.js';
import { UsageError } from '../usage-error.js';

/** `reeve schema operations list` S6.3 */
export function defineSchema(program: Command): void {
  program
    .command('schema')
    .description(
      'print the JSON Schema of what a command prints with --json, or of all commands; no service needs to be running',
    )
    .argument(
      '[command...]',
      "a command, like operations list, or 'error' for errors (default: all commands, in $defs)",
    )
    .addHelpText(
      'after',
      examples(
        ['reeve schema operations list', 'with the properties and dimensions of the project'],
        [`reeve schema | jq '."$defs" | keys'`, 'the commands, and the schemas to which they refer'],
      ),
    )
    .action(run(schema));
}

async function schema(words: readonly string[]): Promise<number> {
  // It is loaded only here: the commands themselves do without zod.
  const { COMMANDS, NotServed, outputSchema, outputSchemas } = await import('../schema/output-schema.js');
  const command = words.length === 0 ? undefined : words.join(' ');
  if (command !== undefined && !COMMANDS.includes(command)) {
    const near = `${didYouMean(command, COMMANDS)} The commands are: ${COMMANDS.join(', ')}.`;
    throw new UsageError(`There is no schema of '${command}'.${near}`);
  }
  return withApi('nothing', async (api) => {
    const document = (await api.ask('GET', '/openapi.json')).body as ApiDocument;
    try {
      printJsonAsIs(command === undefined ? outputSchemas(document) : outputSchema(document, command));
    } catch (thrown) {
      if (thrown instanceof NotServed) throw new UsageError(thrown.message);
      throw thrown;
    }
    return EXIT.done;
  });
}
