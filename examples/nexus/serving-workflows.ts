import { entityWorkflows } from 'reeve/workflows';
import { website } from './website.js';

export default entityWorkflows(website);
