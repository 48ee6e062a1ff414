import { implementActions } from '../../../src/definition/index.js';
import { Plant } from './plant.js';
import { Valve } from './valve.js';

export const plant = implementActions(Plant, {
  build: async (app, { params }) => {
    for (let number = 0; number < params.valves; number++) app.create(Valve, `${app.key}-${number}`, 'install');
    return app.goTo('Building');
  },
  finish: async (app) => app.goTo('Built'),
});
