import { mkdir } from 'node:fs/promises';
import { keepDiagram } from '../src/diagram/kept-diagrams.js';
import { layOut } from '../src/diagram/layout.js';
import { controlPlane } from '../workflows/definitions.js';
import { DIAGRAMS_FOLDER } from './built.js';

/* Lays out the state diagrams of the control plane, as a part of the build: the service has nothing that lays them out. */
await mkdir(DIAGRAMS_FOLDER, { recursive: true });
for (const entity of controlPlane) await keepDiagram(DIAGRAMS_FOLDER, await layOut(entity));
