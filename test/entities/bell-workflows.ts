import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Bell } from './bell.js';

export const bell = implementActions(Bell, {
  hang: async (app) => app.goTo('Hung'),
  ring: async (app) => {
    app.properties.rings.push(new Date(app.now()).toISOString());
  },
  knock: async (app) => {
    app.properties.knocks++;
  },
  muffle: async (app) => app.goTo('Muffled'),
  free: async (app) => app.goTo('Hung'),
  melt: async (app) => app.goTo('Melted'),
});

// A bell at rest goes on in a new run within the test.
export default entityWorkflowsWith({ restAfter: '2s' }, bell);
