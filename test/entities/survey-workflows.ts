import { entityWorkflows } from '../../src/temporal/workflows.js';
import { survey } from './survey.js';

export default entityWorkflows(survey);
