import type { Command } from 'commander';
import { modelOf, type Model } from '../../definition/evolution/model.js';
import { Project } from '../../project/project.js';
import { pathOfType } from '../../service/module.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonAsIs } from '../json.js';
import { run } from '../run.js';

/** `reeve model > model.json` Q2 */
export function defineModel(program: Command): void {
  program
    .command('model')
    .description("print all declarations as data: commit it, and 'reeve diff' compares it with later ones")
    .addHelpText('after', examples(['reeve model > model.json', 'commit it, and write it again with each release']))
    .action(run(model));
}

async function model(): Promise<number> {
  printJsonAsIs(await declaredModel());
  return EXIT.done;
}

/** The model of what the project declares. */
export async function declaredModel(): Promise<Model> {
  const project = await Project.find();
  const { modules, entities, components, distributed } = await project.declared();
  const pathOf = (type: string) =>
    pathOfType(
      modules.find((each) => each.entities.some(({ name }) => name === type))!,
      type,
    );
  return modelOf({ entities, resources: await project.contracts(), components, distributed, pathOf });
}
