import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseJson } from '../../project/parse-json.js';
import { readMachine } from '../../xstate/machine.js';
import { capital, hyphenated } from '../../xstate/names.js';
import type { Skeleton } from '../../xstate/skeleton.js';
import { skeletonsOf } from '../../xstate/skeletons.js';
import { actionsText, constantName, definitionText } from '../../xstate/write.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { run } from '../run.js';
import { UsageError } from '../usage-error.js';

interface ImportOptions {
  readonly type?: string;
  readonly folder: string;
  readonly force?: boolean;
}

/** `reeve import xstate machine.json` */
export function defineImport(program: Command): void {
  program
    .command('import')
    .description('write an entity for a state machine of another library')
    .command('xstate')
    .description('write a declaration and a skeleton of its actions for a machine of XState, version 4 or 5')
    .argument('<file>', "the machine as JSON, like 'JSON.stringify(machine.config)' prints it")
    .option('--type <name>', 'the name of the entity type; default: the id of the machine')
    .option('--folder <folder>', 'the folder with your entities', 'src')
    .option('--force', 'overwrite files that exist')
    .addHelpText(
      'after',
      examples(
        ['reeve import xstate order.json', 'definition.ts and actions.ts of a new entity'],
        ['reeve import xstate machine.json --type Order', 'if the machine has no good id'],
      ),
    )
    .action(run(importXState));
}

async function importXState(file: string, { type, folder, force = false }: ImportOptions): Promise<number> {
  const json = await jsonOf(file);
  const machine = readMachine(json);
  if ('problem' in machine) {
    throw new UsageError(
      `${file} is no machine of XState: ${machine.problem}. It needs at least { "states": { ... } }.`,
    );
  }
  const id = machine.root.key || basename(file, '.json');
  const skeletons = skeletonsOf(machine, capital(type ?? id.replace(/(?<=.)(State)?Machine$/, '')));
  const written = skeletons.flatMap((each) => [
    { path: join(folder, hyphenated(each.name), 'definition.ts'), text: definitionText(each, basename(file)) },
    { path: join(folder, hyphenated(each.name), 'actions.ts'), text: actionsText(each) },
  ]);
  if (!force) refuseExisting(written.map(({ path }) => path));
  for (const { path, text } of written) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    console.log(path);
  }
  for (const each of skeletons) printRemarks(each);
  printSteps(skeletons, folder);
  return EXIT.done;
}

async function jsonOf(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${thrown.message}.`);
  });
  return parseJson(text, file, 'Write the machine with JSON.stringify(machine.config), and name that file.');
}

function refuseExisting(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) return;
  throw new UsageError(
    `${existing.join(', ')} exists already. Choose another --type or --folder, or overwrite with --force.`,
  );
}

function printRemarks({ name, remarks }: Skeleton): void {
  if (remarks.length === 0) return;
  console.log(`\n${colours.bold(name)}: not as in the machine`);
  for (const { place, problem, remedy } of remarks) console.log(`  ${place}: ${problem}. ${remedy}`);
}

function printSteps(skeletons: readonly Skeleton[], folder: string): void {
  const constants = skeletons.map(({ name }) => constantName(name)).join(', ');
  console.log(
    `\nNext: fill in each TODO in actions.ts, declare what events take with 'params', and add to ${join(folder, 'definitions.ts')}`,
  );
  for (const { name } of skeletons) console.log(`  export { ${name} } from './${hyphenated(name)}/definition.js';`);
  console.log(`and to ${join(folder, 'workflows.ts')}, with ${constants} in entityWorkflows(...)`);
  for (const { name } of skeletons) {
    console.log(`  import { ${constantName(name)} } from './${hyphenated(name)}/actions.js';`);
  }
}
