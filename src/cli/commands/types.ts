import { describeEntity } from '../../definition/describe.js';
import { mermaidDiagram } from '../../definition/diagram.js';
import { loadDefinitions, UsageError } from '../definitions.js';
import { EXIT } from '../exit.js';

/** `reeve types` */
export async function types(options: { readonly json?: boolean }): Promise<number> {
  const entities = (await loadDefinitions()).map(describeEntity);
  if (options.json) {
    console.log(JSON.stringify(entities, undefined, 2));
    return EXIT.done;
  }
  for (const { name, description, states, events } of entities) {
    console.log(description ? `${name}: ${description}` : name);
    console.log(`  states  ${states.map((state) => state.name).join(', ')}`);
    console.log(`  events  ${events.map((event) => event.name).join(', ')}\n`);
  }
  return EXIT.done;
}

/** `reeve diagram LogicalServer` */
export async function diagram(type: string): Promise<number> {
  const entities = await loadDefinitions();
  const entity = entities.find(({ name }) => name === type);
  if (!entity) {
    throw new UsageError(
      `There is no entity type '${type}'. There are: ${entities.map(({ name }) => name).join(', ')}.`,
    );
  }
  console.log(mermaidDiagram(entity));
  return EXIT.done;
}
