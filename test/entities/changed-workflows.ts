import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Box, shelf } from './box.js';
import { box, room } from './workflows.js';

/** The next version of a box: relabelling moves it as well, by one more call. */
const changedBox = implementActions(Box, {
  ...box.actions,
  relabel: async (app, { params }) => {
    const { place } = await app.call(shelf.put, { name: `${app.key}-moved` });
    app.properties.place = place;
    app.properties.label = params.label;
  },
});

export default entityWorkflowsWith({ restAfter: '1s' }, changedBox, room);
