import { Option, type Command } from 'commander';
import { relative } from 'node:path';
import type { Addition } from '../../project/init.js';
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
      new Option('--with <addition>', "'lambda': adds the worker as an AWS Lambda function").choices(['lambda']),
    )
    .addHelpText(
      'after',
      examples(
        ['reeve init my-control-plane', 'the name of the project is that of the folder'],
        ['reeve init my-control-plane --with lambda', 'also the Lambda handler, its SAM template and its test'],
      ),
    )
    .action(run(init));
}

async function init(at: string, { with: addition }: { readonly with?: Addition }): Promise<number> {
  const { initProject } = await import('../../project/init.js');
  const report = (line: string) => console.error(errorColours.dim(`  ${line}`));
  const { folder, name } = await initProject(at, report, addition ? [addition] : []);
  const there = relative(process.cwd(), folder);
  const steps = [...(there === '' ? [] : [`cd ${there}`]), 'npm install', 'npm test', 'npm start'];
  console.log(`${colours.bold(name)} is created. Continue with its README.md.\n`);
  for (const step of steps) console.log(`  ${step}`);
  return EXIT.done;
}
