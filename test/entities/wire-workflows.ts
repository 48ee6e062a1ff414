import { entityWorkflows } from '../../src/temporal/workflows.js';
import { wire } from './wire.js';

export default entityWorkflows(wire);
