import { actionsAndWorkflows } from './actions-and-workflows.js';
import { entitiesAndEvents } from './entities-and-events.js';
import type { Scenario } from './scenario.js';

/** All scenarios, each with a key of its own for what it creates. */
export const SCENARIOS: readonly (Scenario & { readonly key: string })[] = [
  ...entitiesAndEvents,
  ...actionsAndWorkflows,
].map((scenario, index) => {
  const letter = `${String.fromCharCode(97 + (index % 26))}${index > 25 ? 'z' : ''}`;
  return { ...scenario, key: `conf-${scenario.id.toLowerCase().replace('.', '-')}-${letter}` };
});
