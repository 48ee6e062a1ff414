import { z } from 'zod';
import { defineEntity, defineResource, deleted, initial, stable } from '../../../src/definition/index.js';

/** Anyone who is called with secrets, answers with secrets, and fails with secrets. */
export const bank = defineResource('bank', {
  check: { input: z.object({ iban: z.string() }), output: z.object({ proof: z.string() }) },
  look: { input: z.object({ iban: z.string() }), output: z.object({ proof: z.string() }), answer: 'inline' },
  ask: {
    input: z.object({ iban: z.string() }),
    output: z.object({ answer: z.string() }),
    answer: 'callback',
    within: '5m',
    summary: 'approval of {iban}',
  },
  refuse: { input: z.object({ reason: z.string() }), output: z.object({}) },
});

/** A slip that an account makes: what it is given comes with a message of another entity. */
export const Slip = defineEntity('Slip', {
  key: z.string(),
  properties: z.object({ text: z.string().default('') }),
  secret: ['text'],
  states: { Absent: initial(), Written: stable(), Deleted: deleted() },
  events: {
    write: { params: z.object({ text: z.string() }), in: 'Absent' },
    remove: { in: 'Written' },
  },
  actions: {
    write: { on: 'write', in: 'Absent', to: 'Written' },
    remove: { on: 'remove', in: 'Written', to: 'Deleted' },
  },
});

/** An account all of whose contents are secret. */
export const Account = defineEntity('Account', {
  key: z.string(),
  properties: z.object({
    iban: z.string().default(''),
    proof: z.string().default(''),
    answer: z.string().default(''),
    note: z.string().default(''),
    turns: z.number().default(0),
  }),
  secret: ['iban', 'proof', 'answer', 'note'],
  states: { Absent: initial(), Open: stable(), Deleted: deleted() },
  events: {
    open: { params: z.object({ iban: z.string() }), in: 'Absent' },
    check: { params: z.object({ iban: z.string() }), in: 'Open' },
    ask: { in: 'Open' },
    note: { params: z.object({ note: z.string() }), in: 'Open' },
    fail: { params: z.object({ reason: z.string() }), in: 'Open' },
    print: { params: z.object({ slip: z.string(), text: z.string() }), in: 'Open' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    check: { on: 'check', in: 'Open' },
    ask: { on: 'ask', in: 'Open' },
    note: { on: 'note', in: 'Open' },
    fail: { on: 'fail', in: 'Open' },
    print: { on: 'print', in: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Deleted' },
  },
});

export const secretive = [Account, Slip];
