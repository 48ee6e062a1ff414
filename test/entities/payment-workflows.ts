import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Payment } from './payment.js';

const payment = implementActions(Payment, {
  confirm: async (app, { params }) => {
    app.properties.amount = params.amount;
    return app.goTo('requires_capture');
  },
  capture: async (app) => app.goTo('succeeded'),
  cancel: async (app) => app.goTo('canceled'),
});

export default entityWorkflows(payment);
