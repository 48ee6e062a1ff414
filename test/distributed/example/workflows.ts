import { entityWorkflowsWith } from 'reeve/workflows';
import { checksum } from './checksum.js';

export default entityWorkflowsWith({ distributed: [checksum] });
