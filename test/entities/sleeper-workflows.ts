import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Sleeper } from './sleeper.js';
import { box, room } from './workflows.js';

const sleeper = implementActions(Sleeper, {
  sleep: async (app) => app.goTo('Asleep'),
  wake: async (app) => app.goTo('Awake'),
  rest: async (app) => app.goTo('Awake'),
});

export default entityWorkflows(box, room, sleeper);
