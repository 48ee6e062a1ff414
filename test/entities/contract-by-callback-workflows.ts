import { entityWorkflows } from '../../src/temporal/workflows.js';
import { contractWith, signaturesByCallback } from './contract.js';

export default entityWorkflows(contractWith(signaturesByCallback));
