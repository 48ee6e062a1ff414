import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Box } from './box.js';
import { Spinner } from './spinner.js';
import { box, room } from './workflows.js';

async function spin(kind: string, ask: () => Promise<unknown>): Promise<void> {
  if (kind.startsWith('call')) await ask();
  if (kind === 'dangling') void Promise.reject(new Error('dangling'));
  if (kind.endsWith('loop')) for (;;);
  if (kind.endsWith('microtasks')) for (;;) await null;
}

const spinner = implementActions(Spinner, {
  begin: async (app) => app.goTo('Idle'),
  take: async (app, { params }) => {
    app.properties.kind = params.kind;
    return app.goTo('Spinning');
  },
  turn: async (app) => {
    await spin(app.properties.kind, () => app.read(Box, 'nobody'));
    app.properties.turns++;
    return app.goTo('Idle');
  },
  end: async (app) => app.goTo('Gone'),
});

export default entityWorkflows(box, room, spinner);
