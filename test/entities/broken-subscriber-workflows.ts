import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { subscriber, Subscriber } from './subscriber.js';

/** A build whose migration throws. */
const broken = {
  ...Subscriber,
  migrations: {
    ...Subscriber.migrations,
    3: () => {
      throw new Error('no such plan');
    },
  },
};

export default entityWorkflowsWith({ restAfter: '1s' }, { ...subscriber, entity: broken });
