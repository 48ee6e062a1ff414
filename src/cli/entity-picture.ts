import type { AnyEntity } from '../definition/entity.js';
import type { Diagram } from '../diagram/diagram.js';
import { drawDiagram } from '../diagram/drawing.js';
import { readDiagram } from '../diagram/kept-diagrams.js';
import { svgText } from '../diagram/svg.js';
import { Project } from '../project/project.js';

/** The state diagram of an entity type as SVG, the same that the web page shows. @throws MissingPackage */
export async function entityPicture(entity: AnyEntity): Promise<string> {
  return svgText(drawDiagram(await diagramOf(entity)));
}

/** The diagram that the build has kept, or else one that is laid out now. @throws MissingPackage */
async function diagramOf(entity: AnyEntity): Promise<Diagram> {
  const kept = await readDiagram((await Project.find()).diagrams, entity);
  if (kept) return kept;
  const { layOut } = await import('../diagram/layout.js');
  return layOut(entity);
}
