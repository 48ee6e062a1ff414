import { Argument, type Command } from 'commander';
import { SCRIPTS } from '../completion/scripts.js';
import { suggest } from '../completion/suggest.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { oneLine } from '../list/table.js';
import { run } from '../run.js';

/** `reeve completion bash` */
export function defineCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for a shell: commands, options, types, entities, events and operations')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      examples(
        ['source <(reeve completion bash)', 'in this shell'],
        ['reeve completion zsh >> ~/.zshrc', 'in all new shells'],
      ),
    )
    .action(run(completion));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => complete(program, words));
}

function completion(shell: string): Promise<number> {
  console.log(SCRIPTS[shell]);
  return Promise.resolve(EXIT.done);
}

/** Answers the scripts: a line for each suggestion, with a tab before its description. */
async function complete(program: Command, words: readonly string[]): Promise<void> {
  try {
    for (const { value, about = '' } of await suggest(program, words)) console.log(`${value}\t${oneLine(about)}`);
  } catch {
    // A message would disturb the person who types. Without a stack there are no entities to suggest.
    process.exitCode = EXIT.unreachable;
  }
}
