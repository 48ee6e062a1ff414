import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  DeclarationError,
  defineEntity,
  endRecord,
  implementActions,
  initial,
  stable,
  terminal,
} from '../../src/definition/index.js';

const Letter = defineEntity('Letter', {
  key: z.string(),
  properties: z.object({}),
  states: { Written: initial(), Sent: stable({ deploys: 'tracking', ended: 'arrive' }), Read: terminal() },
  events: { send: { in: 'Written' }, arrive: { params: endRecord, in: 'Sent', internal: true } },
  actions: {
    send: { on: 'send', in: 'Written', to: 'Sent' },
    arrive: { on: 'arrive', in: 'Sent', to: 'Read' },
  },
});

/** As from plain JavaScript, where no compiler has looked at it. */
const implement = implementActions as (entity: unknown, actions: object, more?: object) => unknown;

it('tells each action and description that is missing or that nobody declares, with a remedy (S1.5)', () => {
  let problems: DeclarationError['problems'] = [];
  try {
    implement(Letter, { sned: async () => undefined, arrive: async () => undefined });
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(DeclarationError);
    expect(String(thrown)).toContain('The declaration of Letter has 3 mistakes');
    ({ problems } = thrown as DeclarationError);
  }
  expect(problems).toEqual([
    {
      place: 'actions.send',
      problem: 'is declared and has no code',
      remedy: 'Write it in implementActions(Letter, ...): send: async (app) => ..., or take it out of the declaration.',
    },
    {
      place: 'actions.sned',
      problem: 'has code and is not declared',
      remedy: "Declare it, or take it out. Did you mean 'send'?",
    },
    {
      place: 'deploys.tracking',
      problem: 'is declared and has no description',
      remedy:
        'Write it in implementActions(Letter, ...): { deploys: { tracking: (entity) => ... } }, or let no state deploy it.',
    },
  ]);
});
