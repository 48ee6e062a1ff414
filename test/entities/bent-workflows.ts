import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { account, clerk } from './bank-workflows.js';
import { shelf } from './box.js';
import { kiln, pottery } from './explain-workflows.js';
import { Kiln } from './kiln.js';
import { box, room } from './workflows.js';

/** The next version of a kiln, which does not fit what those have done that are under way. */
const bentKiln = implementActions(Kiln, {
  ...kiln.actions,
  fire: async (app) => {
    await app.call(shelf.look, { name: app.key });
    return app.goTo('Fired');
  },
});

export default entityWorkflowsWith({ restAfter: '1h' }, account, clerk, box, room, bentKiln, pottery);
