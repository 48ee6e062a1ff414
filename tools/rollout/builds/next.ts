import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { implementActions } from '../../../src/definition/index.js';
import * as before from '../../replay/entities/actions.js';
import { Counter, Lamp, parts, Room } from '../../replay/entities/definitions.js';

/** The next build: its actions make other calls, so no history of the build before it replays on it. */
const counter = implementActions(Counter, {
  ...before.counter.actions,
  add: async (app) => {
    await app.call(parts.look, { name: app.key });
    app.properties.count++;
  },
});
const room = implementActions(Room, {
  ...before.room.actions,
  finish: async (app) => {
    await app.call(parts.look, { name: app.key });
    return app.goTo('Furnished');
  },
});
const lamp = implementActions(Lamp, {
  ...before.lamp.actions,
  blink: async (app) => {
    await app.call(parts.look, { name: app.key });
    app.properties.blinks++;
  },
});

const { box, inquiry, account, transfer } = before;
export default entityWorkflowsWith({ restAfter: '10m' }, counter, box, inquiry, room, lamp, account, transfer);
