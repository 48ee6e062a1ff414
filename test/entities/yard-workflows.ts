import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { gate } from './gate.js';
import { OPERATIONS } from './harvest.js';
import { Furnace, Lamp } from './lamp.js';
import { vault } from './vault-workflows.js';

/** Entities, deployments and distributed operations beside each other. */
export default entityWorkflowsWith(
  { deployments: { components: [Lamp, Furnace] }, distributed: OPERATIONS },
  vault,
  gate,
);
