import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/workflows.js';
import { apart, outside } from './contract.js';
import { Canary, Ping, Pong, Rearming, Wretch } from './definitions.js';
import { MISDEEDS } from './misdeeds.js';

const canary = implementActions(Canary, {
  begin: async (app) => app.goTo('Up'),
  beat: async (app) => void app.properties.beats++,
  toil: async (_app, { params }) => compute(params.ms),
  end: async (app) => app.goTo('Gone'),
});

const wretch = implementActions(Wretch, {
  begin: async (app) => app.goTo('Resting'),
  take: async (app, { params }) => {
    app.properties.kind = params.kind;
    return app.goTo('Acting');
  },
  work: async (app) => {
    const { kind } = app.properties;
    const misdeed = MISDEEDS[kind];
    if (misdeed) {
      await misdeed(app);
    } else {
      const [where, what] = kind.split(':') as [string, string];
      const { count } = await app.call(where === 'apart' ? apart.odd : outside.odd, { kind: what });
      app.properties.count = count;
    }
    return app.goTo('Resting');
  },
  touch: async (app) => void app.properties.count++,
  poke: async (app) => {
    app.properties.count++;
    app.raise(Wretch, app.key, 'poke');
  },
  stop: async (app) => app.goTo('Broken'),
  end: async (app) => app.goTo('Gone'),
});

const ping = implementActions(Ping, {
  begin: async (app) => app.goTo('Up'),
  strike: async (app) => {
    app.properties.strokes++;
    app.raise(Pong, app.key, 'strike');
  },
  end: async (app) => app.goTo('Gone'),
});
const pong = implementActions(Pong, {
  begin: async (app) => app.goTo('Up'),
  strike: async (app) => {
    app.properties.strokes++;
    app.raise(Ping, app.key, 'strike');
  },
  end: async (app) => app.goTo('Gone'),
});

const rearming = implementActions(Rearming, {
  begin: async (app) => {
    app.create(Canary, `${app.key}-0`, 'create');
    return app.goTo('Up');
  },
  again: async (app) => {
    app.properties.rounds++;
    app.create(Canary, `${app.key}-${app.properties.rounds}`, 'create');
  },
  end: async (app) => app.goTo('Gone'),
});

/** Computes for about so many milliseconds of an idle machine: workflow code sees no clock that goes on. */
function compute(ms: number): void {
  const perMs = 200_000;
  let sum = 0;
  for (let n = 0; n < ms * perMs; n++) sum = (sum + n * 7) % 1_000_003;
  if (sum < 0) throw new Error('never');
}

export default entityWorkflows(canary, wretch, ping, pong, rearming);
