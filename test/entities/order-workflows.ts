import { entityWorkflows } from '../../src/temporal/workflows.js';
import { purchaser, order } from './order.js';

export default entityWorkflows(order, purchaser);
