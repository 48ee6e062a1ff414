/* All that is declared. package.json names this module, and the workflow code is bundled with it. */
export { pages } from './site/contract.js';
export { Site } from './site/definition.js';
