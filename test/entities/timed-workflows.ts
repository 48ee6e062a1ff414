import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Candle } from './candle.js';
import { box, room } from './workflows.js';

export const candle = implementActions(Candle, {
  light: async (app) => app.goTo('Burning'),
  flicker: async (app) => {
    app.properties.flickers++;
  },
  trim: async (app) => app.goTo('Burning'),
  wait: async (app) => app.goTo('Waiting'),
  tire: async (app) => app.goTo('Out'),
  cheer: async (app) => app.goTo('Burning'),
  goOut: async (app) => app.goTo('Out'),
});

// Tests do not wait for half a minute.
export default entityWorkflowsWith({ lookDistance: { firstMs: 300, longestMs: 1_000 } }, box, room, candle);
