import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { film } from './film.js';

export default entityWorkflowsWith({ routes: { 'post.send': 'post-office', studio: 'studios' } }, film);
