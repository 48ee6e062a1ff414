import { entityWorkflows } from '../../src/temporal/workflows.js';
import { contractWith, signaturesByActivity } from './contract.js';

export default entityWorkflows(contractWith(signaturesByActivity));
