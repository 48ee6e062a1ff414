import type { Command } from 'commander';
import { relative } from 'node:path';
import { Project } from '../../project/project.js';
import { errorColours } from '../colours.js';
import { counted } from '../counted.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { run } from '../run.js';

/** `reeve build` */
export function defineBuild(program: Command): void {
  program
    .command('build')
    .description('build the workflow bundle and the diagrams of the project')
    .option('--json', 'the result, as JSON')
    .addHelpText('after', examples(['tsc && reeve build', 'unchanged parts are not built again']))
    .action(run(build));
}

async function build(options: { readonly json?: boolean }): Promise<number> {
  const project = await Project.find();
  const { buildProject } = await import('../../project/build.js');
  const built = await buildProject(project);
  if (options.json) {
    printJson(built);
    return EXIT.done;
  }
  const { bundle, bundled, laidOut, problem } = built;
  console.log(`${relative(process.cwd(), bundle)}: ${bundled ? 'bundled' : 'up to date'}`);
  if (laidOut.length > 0) console.log(`${counted(laidOut.length, 'diagram')} laid out: ${laidOut.join(', ')}`);
  // The page and everything else work without them.
  if (problem !== undefined) console.error(errorColours.yellow(problem));
  return EXIT.done;
}
