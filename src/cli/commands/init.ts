import { InvalidArgumentError, Option, type Command } from 'commander';
import { relative } from 'node:path';
import { ADDITIONS, type Addition } from '../../project/additions.js';
import { colours, errorColours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { run } from '../run.js';

/** `reeve init my-control-plane` */
export function defineInit(program: Command): void {
  program
    .command('init')
    .description('create a project with an entity, a resource, tests and a Dockerfile')
    .argument('<folder>', "a new folder, or one that is empty but for what npm has installed; '.' for the current one")
    .addOption(
      new Option('--with <additions>', 'what else it has, separated by commas').choices(ADDITIONS).argParser(additions),
    )
    .addHelpText(
      'after',
      examples(
        ['reeve init my-control-plane', 'the name of the project is that of the folder'],
        ['reeve init my-control-plane --with lambda', 'also the Lambda handler, its SAM template and its test'],
        ['reeve init my-control-plane --with kubernetes,github-actions', 'also manifests and a CI workflow'],
      ),
    )
    .action(run(init));
}

/** Reads the names of additions. The option can also be repeated. @throws InvalidArgumentError */
function additions(text: string, before: readonly Addition[] = []): readonly Addition[] {
  const named = text.split(',').map((each) => {
    const found = ADDITIONS.find((addition) => addition === each.trim());
    if (!found) throw new InvalidArgumentError(`'${each}' is none of: ${ADDITIONS.join(', ')}.`);
    return found;
  });
  return [...new Set([...before, ...named])];
}

async function init(at: string, { with: added = [] }: { readonly with?: readonly Addition[] }): Promise<number> {
  const { initProject } = await import('../../project/init.js');
  const report = (line: string) => console.error(errorColours.dim(`  ${line}`));
  const { folder, name } = await initProject(at, report, added);
  const there = relative(process.cwd(), folder);
  const steps = [...(there === '' ? [] : [`cd ${there}`]), 'npm install', 'npm test', 'npm start'];
  console.log(`${colours.bold(name)} is created. Continue with its README.md.\n`);
  for (const step of steps) console.log(`  ${step}`);
  return EXIT.done;
}
