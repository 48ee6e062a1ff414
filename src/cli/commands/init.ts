import type { Command } from 'commander';
import { relative } from 'node:path';
import { colours, errorColours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { run } from '../run.js';

/** `reeve init my-control-plane` */
export function defineInit(program: Command): void {
  program
    .command('init')
    .description('make a project of your own: an entity with a resource, its tests, and all that serves them')
    .argument(
      '<folder>',
      "a folder that is empty but for what npm has installed, or not there; '.' for the current one",
    )
    .addHelpText('after', examples(['reeve init my-control-plane', 'its name is that of the folder']))
    .action(run(init));
}

async function init(at: string): Promise<number> {
  const { initProject } = await import('../../project/init.js');
  const { folder, name } = await initProject(at, (line) => console.error(errorColours.dim(`  ${line}`)));
  const there = relative(process.cwd(), folder);
  const steps = [...(there === '' ? [] : [`cd ${there}`]), 'npm install', 'npm test', 'npm start'];
  console.log(`${colours.bold(name)} is made. Its README.md goes on from here.\n`);
  for (const step of steps) console.log(`  ${step}`);
  return EXIT.done;
}
