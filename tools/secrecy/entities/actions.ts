import { implementActions } from '../../../src/definition/index.js';
import { Account, bank, Slip } from './definitions.js';

export const slip = implementActions(Slip, {
  write: async (app, { params }) => {
    app.properties.text = params.text;
    return app.goTo('Written');
  },
  remove: async (app) => app.goTo('Deleted'),
});

export const account = implementActions(Account, {
  open: async (app, { params }) => {
    app.properties.iban = params.iban;
    return app.goTo('Open');
  },
  check: async (app, { params }) => {
    app.properties.iban = params.iban;
    app.properties.proof = (await app.call(bank.check, params)).proof;
    await app.call(bank.look, params);
    app.properties.turns++;
  },
  ask: async (app) => {
    app.properties.answer = (await app.call(bank.ask, { iban: app.properties.iban })).answer;
    app.properties.turns++;
  },
  note: async (app, { params }) => {
    app.properties.note = params.note;
  },
  fail: async (app, { params }) => void (await app.call(bank.refuse, { reason: params.reason })),
  print: async (app, { params }) => {
    await app.createAndWait(Slip, params.slip, 'write', { text: params.text }, { within: '1m' });
    await app.raiseAndWait(Slip, params.slip, 'remove', { within: '1m' });
  },
  close: async (app) => app.goTo('Deleted'),
});
