import type { Command } from 'commander';
import type { AnyEntity } from '../../definition/entity.js';
import type { Diagram } from '../../diagram/diagram.js';
import { drawDiagram } from '../../diagram/drawing.js';
import { readDiagram } from '../../diagram/kept-diagrams.js';
import { svgText } from '../../diagram/svg.js';
import { describeEntity } from '../../definition/describe.js';
import { mermaidDiagram } from '../../definition/diagram.js';
import { Project } from '../../project/project.js';
import { findDeclaration, loadDefinitions } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonList } from '../json.js';
import { run } from '../run.js';
import { UsageError } from '../usage-error.js';

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
    .description('draw an entity type as a state diagram: for Mermaid, or as a picture')
    .argument('<type>', 'like LogicalServer')
    .option('--svg', 'a picture as SVG, the same that the web page shows')
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
  console.log(options.svg ? svgText(drawDiagram(await pictureOf(entity))) : mermaidDiagram(entity));
  return EXIT.done;
}

/** The diagram that the build has kept, or else one that is laid out now. @throws UsageError */
async function pictureOf(entity: AnyEntity): Promise<Diagram> {
  const kept = await readDiagram((await Project.find()).diagrams, entity);
  if (kept) return kept;
  const { layOut, NoLayout } = await import('../../diagram/layout.js');
  return layOut(entity).catch((thrown: unknown) => {
    throw thrown instanceof NoLayout ? new UsageError(thrown.message) : thrown;
  });
}
