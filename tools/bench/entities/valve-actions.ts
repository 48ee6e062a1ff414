import { implementActions } from '../../../src/definition/index.js';
import { gauge } from './gauge.js';
import { Valve } from './valve.js';

export const valve = implementActions(Valve, {
  install: async (app) => app.goTo('Idle'),
  turn: async (app, { params }) => {
    app.properties.value = params.value;
  },
  probe: async (app) => {
    app.properties.value = (await app.call(gauge.probe, { valve: app.key })).value;
  },
  overhaul: async (app) => {
    app.properties.value = (await app.call(gauge.overhaul, { valve: app.key })).value;
  },
  repair: async (app) => {
    app.properties.value = (await app.call(gauge.repair, { valve: app.key })).value;
  },
  inspect: async (app) => {
    app.properties.value = (await app.call(gauge.inspect, { valve: app.key })).value;
  },
  lend: async (app) => {
    await app.call(gauge.lend, { valve: app.key, back: app.answerBy('giveBack', { within: '7d' }) });
    return app.goTo('Lent');
  },
  shut: async (app, { params }) => {
    app.properties.value = params.value;
    return app.goTo('Shut');
  },
  open: async (app) => app.goTo('Idle'),
  giveBack: async (app, { params }) => {
    app.properties.value = params.value;
    return app.goTo('Idle');
  },
  flush: async (app, { params }) => {
    app.properties.steps = params.steps;
    return app.goTo('Flushing');
  },
  goOn: async (app) => {
    await app.call(gauge.overhaul, { valve: app.key });
    app.properties.steps -= 1;
    return app.properties.steps > 0 ? app.nextRound({ wait: '0s' }) : app.goTo('Idle');
  },
});
