import { entityWorkflows } from '../../src/temporal/workflows.js';
import { mill } from './mill.js';

export default entityWorkflows(mill);
