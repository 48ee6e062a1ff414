import { drawDiagram } from '../../diagram/drawing.js';
import { readDiagram } from '../../diagram/kept-diagrams.js';
import { svgText } from '../../diagram/svg.js';
import type { EntityModule } from '../module.js';
import { ProblemError } from '../problem.js';
import type { ServiceApp } from './route.js';

/**
 * Serves the state diagrams that a build has laid out: `/docs/diagrams/LogicalServer.json` with all places, and `.svg` as a
 * picture. Like the OpenAPI document, they tell what is declared, and nothing else.
 * @param folder where they are kept; without it there are none
 */
export function serveDiagrams(app: ServiceApp, modules: readonly EntityModule[], folder: string | undefined): void {
  const entities = modules.flatMap((module) => module.entities);
  app.get('/docs/diagrams/:file', async (context) => {
    const [, type, form] = /^(\w+)\.(json|svg)$/.exec(context.req.param('file')) ?? [];
    const entity = entities.find(({ name }) => name === type);
    const diagram = entity && folder !== undefined ? await readDiagram(folder, entity) : undefined;
    if (!diagram) {
      const message = `There is no diagram ${context.req.param('file')} of the current declaration. If the type exists, run 'reeve build'.`;
      throw new ProblemError('not_found', message);
    }
    if (form === 'json') return context.json(diagram, 200);
    return context.body(svgText(drawDiagram(diagram)), 200, { 'Content-Type': 'image/svg+xml' });
  });
}
