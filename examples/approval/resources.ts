import { implementResource } from 'reeve/worker';
import { approvals } from './approval.js';

/** Asks by a line in the log of the worker. Yours sends a mail: the address is signed, and allows one answer to this question. */
export const resources = implementResource(approvals, {
  ask: async ({ expense, amount }, { callback }) => {
    console.log(`Approve ${amount} for ${expense}? Answer at ${callback.url}`);
  },
});
