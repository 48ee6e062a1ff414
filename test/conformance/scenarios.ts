import { actionsAndWorkflows } from './actions-and-workflows.js';
import { asynchronous } from './asynchronous.js';
import { busy } from './busy.js';
import { components } from './components.js';
import { distributed } from './distributed.js';
import { guards } from './guards.js';
import { limits } from './limits.js';
import { entitiesAndEvents } from './entities-and-events.js';
import { propertyTimes } from './property-times.js';
import { subscribedStates } from './subscribed-states.js';
import { values } from './values.js';
import type { Scenario } from './scenario.js';

/** All scenarios, each with a key of its own for what it creates. */
export const SCENARIOS: readonly (Scenario & { readonly key: string })[] = [
  ...entitiesAndEvents,
  ...actionsAndWorkflows,
  ...asynchronous,
  ...components,
  ...distributed,
  ...limits,
  ...values,
  ...busy,
  ...subscribedStates,
  ...guards,
  ...propertyTimes,
].map((scenario, index) => {
  const letter = `${String.fromCharCode(97 + (index % 26))}${'z'.repeat(Math.floor(index / 26))}`;
  return { ...scenario, key: `conf-${scenario.id.toLowerCase().replace('.', '-')}-${letter}` };
});
