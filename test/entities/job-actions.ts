import { implementActions } from '../../src/definition/index.js';
import { Batch, Caller, Floor, Job, machines, Plan } from './job.js';

export const job = implementActions(Job, {
  start: async (app) => app.goTo('Working'),
  work: async (app) => {
    await app.call(machines.work, { on: app.key });
    app.properties.runs += 1;
    return app.goTo('Done');
  },
  stop: async (app) => app.goTo('Stopped'),
});

export const batch = implementActions(Batch, {
  run: async (app, { params }) => {
    app.properties.jobs = params.jobs;
    for (const key of params.jobs) app.create(Job, key, 'start');
    return app.goTo('Running');
  },
  finish: async (app) => app.goTo('Finished'),
});

export const plan = implementActions(Plan, {
  carryOut: async (app, { params }) => {
    const outcome = await app.createAndWait(Batch, app.key, 'run', params, { within: '1h' });
    app.properties.batch = outcome.status === 'settled' ? outcome.state : outcome.code;
    return app.goTo('Carried');
  },
});

export const caller = implementActions(Caller, {
  call: async (app) => {
    const outcome = await app.createAndWait(Job, app.key, 'start', { within: '1d' });
    app.properties.said = outcome.status === 'settled' ? (outcome.error?.code ?? outcome.state) : outcome.code;
    return app.goTo('Answered');
  },
});

export const floor = implementActions(Floor, {
  build: async (app, { params }) => {
    const depth = params.depth - 1;
    if (depth === 0) return app.goTo('Built');
    app.create(Floor, `${app.key}-${depth}`, 'build', { depth });
    return app.goTo('Building');
  },
  finish: async (app) => app.goTo('Built'),
});
