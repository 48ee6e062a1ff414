import { implementResource } from 'reeve/worker';
import { pages } from './site/contract.js';
import { pageProvider } from './site/provider.js';

/** All resources that a worker serves. */
export const resources = [implementResource(pages, pageProvider)];
