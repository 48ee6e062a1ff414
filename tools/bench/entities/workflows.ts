import { entityWorkflows } from '../../../src/temporal/workflows.js';
import { plant } from './plant-actions.js';
import { valve } from './valve-actions.js';

export { errand } from '../own/errand.js';
export default entityWorkflows(valve, plant);
