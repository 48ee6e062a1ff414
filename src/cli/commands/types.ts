import type { Command } from 'commander';
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
    .description('draw an entity type as a state diagram, as Mermaid or SVG')
    .argument('<type>', 'like LogicalServer')
    .option('--svg', 'draw SVG, as on the web page')
    .addHelpText(
      'after',
      examples(
        ['reeve diagram LogicalServer > server.mmd', 'for https://mermaid.live'],
        ['reeve diagram LogicalServer --svg > server.svg', 'for documents'],
      ),
    )
    .action(run(diagram));
}

async function diagram(type: string, options: { readonly svg?: boolean }): Promise<number> {
  const entity = await findDeclaration(type);
  // The code that draws pictures is loaded only for them.
  const drawn = options.svg ? (await import('../entity-picture.js')).entityPicture(entity) : mermaidDiagram(entity);
  console.log(await drawn);
  return EXIT.done;
}
