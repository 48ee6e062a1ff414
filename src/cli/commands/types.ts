import type { Command } from 'commander';
import { describeEntity } from '../../definition/describe.js';
import { mermaidDiagram } from '../../definition/diagram.js';
import { findDeclaration, loadDefinitions } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonList } from '../json.js';
import { run } from '../run.js';

/** `reeve types` */
export function defineTypes(program: Command): void {
  program
    .command('types')
    .description('list the entity types with their states and events')
    .option('--json', 'everything, with the schemas of parameters, as JSON')
    .addHelpText('after', examples(["reeve types --json | jq -r '.items[].name'", 'only their names']))
    .action(run(types));
}

async function types(options: { readonly json?: boolean }): Promise<number> {
  const entities = (await loadDefinitions()).map(describeEntity);
  if (options.json) {
    printJsonList(entities);
    return EXIT.done;
  }
  for (const { name, description, states, events } of entities) {
    console.log(description ? `${name}: ${description}` : name);
    console.log(`  states  ${states.map(withDisplayName).join(', ')}`);
    console.log(`  events  ${events.map(withDisplayName).join(', ')}\n`);
  }
  return EXIT.done;
}

function withDisplayName({ name, displayName }: { readonly name: string; readonly displayName?: string }): string {
  return displayName === undefined ? name : `${name} (${displayName})`;
}

/** `reeve diagram LogicalServer` */
export function defineDiagram(program: Command): void {
  program
    .command('diagram')
    .description('draw an entity type as a Mermaid state diagram')
    .argument('<type>', 'like LogicalServer')
    .addHelpText('after', examples(['reeve diagram LogicalServer > server.mmd', 'for https://mermaid.live']))
    .action(run(diagram));
}

async function diagram(type: string): Promise<number> {
  console.log(mermaidDiagram(await findDeclaration(type)));
  return EXIT.done;
}
