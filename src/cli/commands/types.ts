import { Option, type Command } from 'commander';
import { describeEntity } from '../../definition/describe.js';
import { mermaidDiagram } from '../../definition/diagram.js';
import { findDeclaration, loadDefinitions } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonAsIs } from '../json.js';
import { run } from '../run.js';

/** `reeve types` */
export function defineTypes(program: Command): void {
  program
    .command('types')
    .description('list the entity types with their states and events')
    .option('--json', 'all of it, with the schemas of parameters, as JSON')
    .addHelpText('after', examples(["reeve types --json | jq -r '.items[].name'", 'their names']))
    .action(run(types));
}

async function types(options: { readonly json?: boolean }): Promise<number> {
  const entities = await loadDefinitions();
  if (options.json) {
    printJsonAsIs({ items: entities.map(describeEntity) });
    return EXIT.done;
  }
  // People are told no schemas, so none is described: that takes a fifth of the command.
  for (const { name, description, states, events } of entities) {
    console.log(description ? `${name}: ${description}` : name);
    console.log(`  states  ${namesOf(states)}`);
    console.log(`  events  ${namesOf(events)}\n`);
  }
  return EXIT.done;
}

function namesOf(declared: Readonly<Record<string, { readonly displayName?: string }>>): string {
  return Object.entries(declared)
    .map(([name, { displayName }]) => (displayName === undefined ? name : `${name} (${displayName})`))
    .join(', ');
}

/** `reeve diagram LogicalServer` */
export function defineDiagram(program: Command): void {
  program
    .command('diagram')
    .description('draw an entity type as a state diagram, as Mermaid or SVG, or as a machine of XState')
    .argument('[type]', 'like LogicalServer; may be left out if the project has only one')
    .option('--svg', 'draw SVG, as on the web page')
    .addOption(new Option('--xstate', 'print JSON for createMachine of XState v5, and for its tools').conflicts('svg'))
    .addHelpText(
      'after',
      examples(
        ['reeve diagram LogicalServer > server.mmd', 'for https://mermaid.live'],
        ['reeve diagram LogicalServer --svg > server.svg', 'for documents'],
        ['reeve diagram LogicalServer --xstate > server.json', 'for https://stately.ai'],
      ),
    )
    .action(run(diagram));
}

async function diagram(
  type: string | undefined,
  options: { readonly svg?: boolean; readonly xstate?: boolean },
): Promise<number> {
  const entity = await findDeclaration(type);
  // The code that draws pictures is loaded only for them.
  if (options.xstate) printJsonAsIs((await import('../../xstate/machine-config.js')).machineConfig(entity));
  else if (options.svg) console.log(await (await import('../entity-picture.js')).entityPicture(entity));
  else console.log(mermaidDiagram(entity));
  return EXIT.done;
}
