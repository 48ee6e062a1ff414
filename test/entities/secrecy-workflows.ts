import { entityWorkflows } from '../../src/temporal/workflows.js';
import { invoice } from './invoice.js';
import { order } from './order.js';

export default entityWorkflows(order, invoice);
