import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Furnace, Lamp } from './lamp.js';
import { Cellar, shelf, Vault } from './vault.js';

export const vault = implementActions(Vault, {
  begin: async (app) => app.goTo('Filling'),
  fill: async (app) => {
    await app.call(shelf.put, { name: app.key });
    return app.goTo('Open');
  },
  touch: async (app) => {
    app.properties.touched++;
  },
  unseal: async (app) => app.goTo('Open'),
  seal: async (app) => app.goTo('Sealed'),
  store: async (app, { params }) => app.create(Vault, params.name, 'open'),
  look: async (app, { params }) => {
    app.properties.touched = (await app.read(Vault, params.at)) ? 1 : -1;
  },
  remove: async (app) => app.goTo('Deleted'),
});
const cellar = implementActions(Cellar, {
  flood: async (app) => app.goTo('Flooded'),
  drain: async (app) => app.goTo('Dug'),
});

export default entityWorkflowsWith({ deployments: { components: [Lamp, Furnace] } }, vault, cellar);
