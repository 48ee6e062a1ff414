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
  if (kind === 'poison') (Array.prototype as unknown as Record<string, unknown>)['poison'] = kind;
  if (kind === 'own') assignToOwn();
  if (kind === 'slow to freeze') {
    Object.prototype.toString = () => kind;
    RegExp.prototype.toString = () => kind;
    Array.prototype.copyWithin = () => [];
  }
  if (kind === 'look' && [{}, /a/, ...[1, 2].copyWithin(0, 1)].join(' ') !== '[object Object] /a/ 2 2')
    throw new Error('poisoned');
}

/** Does something that is older than classes, and does no harm: frozen-built-ins.1 */
function assignToOwn(): void {
  const error: Error = new TypeError('x');
  error.name = 'Own';
  error.message = 'own';
  const thing = Object.assign(Object.create({}) as object, { valueOf: () => 7 });
  thing.toString = () => 'own';
  if (`${thing as unknown as string}` !== 'own' || String(error) !== 'Own: own' || Number(thing) !== 7)
    throw new Error('not own');
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

/** A workflow of the project's own, which does not end. */
export async function endless(): Promise<void> {
  for (;;);
}

export default entityWorkflows(box, room, spinner);
