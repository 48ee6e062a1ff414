import type { Command } from 'commander';
import { modelOf, type Model } from '../../definition/evolution/model.js';
import { loadDefinitions, loadResources } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { run } from '../run.js';

/** `reeve model > model.json` Q2 */
export function defineModel(program: Command): void {
  program
    .command('model')
    .description('write all declarations as data, to keep with the code and to compare with: reeve diff')
    .addHelpText(
      'after',
      examples(['reeve model > model.json', 'keep it in the repository, and write it anew with each release']),
    )
    .action(run(model));
}

async function model(): Promise<number> {
  printJson(await declaredModel());
  return EXIT.done;
}

/** The model of what the project declares. */
export async function declaredModel(): Promise<Model> {
  return modelOf(await loadDefinitions(), await loadResources());
}
