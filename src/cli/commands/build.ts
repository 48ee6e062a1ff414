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
    .description(
      'build what the project needs besides its compiled code: the bundle of workflow code, and the diagrams',
    )
    .option('--json', 'what was built, as JSON')
    .addHelpText('after', examples(['tsc && reeve build', 'what was built from the same content is left as it is']))
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
