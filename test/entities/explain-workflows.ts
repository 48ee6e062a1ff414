import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { account, clerk } from './bank-workflows.js';
import { shelf } from './box.js';
import { Kiln, Pottery } from './kiln.js';
import { box, room } from './workflows.js';

export const kiln = implementActions(Kiln, {
  begin: async (app) => app.goTo('Firing'),
  fire: async (app) => {
    await app.call(shelf.put, { name: app.key });
    return app.goTo('Fired');
  },
  giveUp: async (app) => app.goTo('Broken'),
});

export const pottery = implementActions(Pottery, {
  found: async (app, { params }) => {
    for (const key of params.kilns) app.create(Kiln, key, 'fire');
    return app.goTo('Waiting');
  },
  open: async (app) => app.goTo('Open'),
});

/** None goes on in a new run while a test looks at it. */
export default entityWorkflowsWith({ restAfter: '1h' }, account, clerk, box, room, kiln, pottery);
