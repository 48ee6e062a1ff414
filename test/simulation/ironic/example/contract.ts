import { z } from 'zod';
import { answerAddress, defineResource } from '../../../../src/definition/index.js';

const node = z.string();

/** The management controller of a node: its power (IPMI, Redfish). */
export const bmc = defineResource('bmc', {
  verify: { input: z.object({ node, address: z.string() }), output: z.object({ vendor: z.string() }) },
  setPower: { input: z.object({ node, on: z.boolean() }), output: z.object({}) },
  isOn: { input: z.object({ node }), output: z.object({ on: z.boolean() }) },
});

/** Steps that need no system on the node. */
export const conductor = defineResource('conductor', {
  run: { input: z.object({ node, step: z.string() }), output: z.object({}) },
});

/** The agent in the memory of a node: it is asked for a step, and calls back when it has carried it out, minutes or hours later. */
export const agent = defineResource('agent', {
  run: { input: z.object({ node, step: z.string(), callBack: answerAddress }), output: z.object({}) },
});
