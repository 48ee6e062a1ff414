import { entityWorkflows } from 'reeve/workflows';
import { orderActions } from './order/actions.js';

export default entityWorkflows(orderActions);
