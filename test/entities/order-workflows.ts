import { entityWorkflows } from '../../src/temporal/workflows.js';
import { order } from './order.js';

export default entityWorkflows(order);
