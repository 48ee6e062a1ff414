import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyEntity } from '../definition/entity.js';
import { displayNamesOf } from '../definition/display-name.js';
import { stateArrows } from '../definition/state-arrows.js';
import type { Diagram } from './diagram.js';

/** Grows when the same declaration is laid out in another way. */
const LAYOUT = 2;

/** Names a diagram by all that it shows of the declaration, so that one that was laid out before is known to be the right one. */
export function diagramHash(entity: AnyEntity): string {
  const states = Object.entries(entity.states).map(([name, { initial, stability, health, waiting, ending }]) => ({
    ...{ name, initial, stability, health, waiting, ending },
  }));
  const guarded = Object.keys(entity.events).filter((event) => entity.events[event]!.when);
  const shown = {
    ...(guarded.length > 0 && { guarded }),
    layout: LAYOUT,
    name: entity.name,
    states,
    arrows: stateArrows(entity),
    names: displayNamesOf(entity),
  };
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16);
}

/** The diagram of a declaration that was kept in a folder; nothing where there is none, or that of an earlier declaration. */
export async function readDiagram(folder: string, entity: AnyEntity): Promise<Diagram | undefined> {
  try {
    const diagram = JSON.parse(await readFile(fileOf(folder, entity.name), 'utf8')) as Diagram;
    return diagram.hash === diagramHash(entity) ? diagram : undefined;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

export async function keepDiagram(folder: string, diagram: Diagram): Promise<void> {
  await writeFile(fileOf(folder, diagram.type), JSON.stringify(diagram));
}

function fileOf(folder: string, type: string): string {
  return join(folder, `${type}.json`);
}
