import { entityWorkflows } from '../../src/workflows.js';
import { batch, floor, job, plan } from './job-actions.js';

export default entityWorkflows(job, batch, plan, floor);
