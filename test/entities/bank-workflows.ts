import { implementActions, type Duration, type EntityView } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Account, Clerk } from './bank.js';
import { shelf } from './box.js';

export const account = implementActions(Account, {
  open: async (app) => app.goTo('Open'),
  put: async (app, { params }) => {
    app.properties.balance += params.amount;
  },
  startCount: async (app) => app.goTo('Counting'),
  count: async (app) => {
    await app.call(shelf.put, { name: app.key });
    return app.goTo('Open');
  },
  tick: async (app) => {
    app.properties.ticks++;
  },
  close: async (app) => app.goTo('Closed'),
});

export const clerk = implementActions(Clerk, {
  look: async (app, { params }) => {
    const view = await app.read(Account, params.account);
    app.properties.seen = [inWords(view)];
  },
  transfer: async (app, { params: { from, to, amount } }) => {
    const [source, target] = await app.reserveAll([
      [Account, from],
      [Account, to],
    ]);
    app.properties.seen = [inWords(source), inWords(target)];
    await app.raiseAndWait(Account, from, 'put', { amount: -amount }, { within: '10m' });
    app.raise(Account, to, 'put', { amount });
  },
  ponder: async (app, { params }) => {
    const reserved = await app.reserve(Account, params.account, { lease: params.lease as Duration });
    app.properties.fence = reserved?.fence;
    await app.call(shelf.put, { name: app.key });
    const within = { within: '1h' } as const;
    const outcome = params.count
      ? await app.raiseAndWait(Account, params.account, 'count', within)
      : await app.raiseAndWait(Account, params.account, 'put', { amount: 1 }, within);
    app.properties.seen = [outcome.status === 'settled' ? outcome.state : outcome.code];
  },
  pay: async (app, { params }) => {
    await app.reserve(Account, params.account, { until: 'operation', lease: '10m' });
    app.properties.account = params.account;
    return app.goTo('Paying');
  },
  finishPaying: async (app) => {
    await app.call(shelf.put, { name: app.key });
    await app.raiseAndWait(Account, app.properties.account!, 'put', { amount: 1 }, { within: '10m' });
    return app.goTo('Idle');
  },
  pick: async (app, { params }) => {
    for (const key of params.accounts) app.properties.seen.push(inWords(await app.reserve(Account, key)));
  },
  swap: async (app, { params }) => {
    const view = await app.reserve(Clerk, params.other);
    await app.call(shelf.put, { name: app.key });
    app.properties.seen.push(`${params.other} ${view?.state}`);
  },
  ask: async (app, { params: { other, event, next } }) => {
    const outcome =
      event === 'nod'
        ? await app.raiseAndWait(Clerk, other, event, { within: '1h' })
        : await app.raiseAndWait(Clerk, other, event, { other: next }, { within: '1h' });
    app.properties.seen.push(outcome.status === 'settled' ? `asked ${other}` : outcome.code);
  },
  nod: async () => undefined,
});

function inWords(view: EntityView<typeof Account> | undefined): string {
  if (!view) return 'nothing';
  return `${view.state} ${view.properties.balance} v${view.version} ${view.settled ? 'settled' : 'busy'}`;
}

export default entityWorkflows(account, clerk);
