import { defineQuery, defineUpdate } from '@temporalio/workflow';

/** The messages to a valve that is written by hand. They are the same as the events of the entity. */
export const turn = defineUpdate<number, [number]>('turn');
export const probe = defineUpdate<number>('probe');
export const overhaul = defineUpdate<number>('overhaul');
export const repair = defineUpdate<number>('repair');
/** Is refused while the valve is installed. */
export const install = defineUpdate<void>('install');
export const value = defineQuery<number>('value');
