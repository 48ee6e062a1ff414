import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { batch, job } from './job-actions.js';
import { machines } from './job.js';
import { Press } from './press.js';

const press = implementActions(Press, {
  begin: async (app) => app.goTo('Pressing'),
  press: async (app) => {
    await app.call(machines.work, { on: app.key });
    return app.goTo('Pressed');
  },
});

export default entityWorkflows(press, batch, job);
