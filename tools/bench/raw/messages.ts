import { defineQuery, defineUpdate } from '@temporalio/workflow';

/** What the valve that is written by hand can be asked; the same as the entity's events. */
export const turn = defineUpdate<number, [number]>('turn');
export const probe = defineUpdate<number>('probe');
export const overhaul = defineUpdate<number>('overhaul');
export const repair = defineUpdate<number>('repair');
/** Refused while it is installed. */
export const install = defineUpdate<void>('install');
export const value = defineQuery<number>('value');
