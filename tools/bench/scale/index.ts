import { resting } from './resting.js';
import type { ScaleCase } from './scale-case.js';
import { successors } from './successors.js';
import { transitions } from './transitions.js';

/** The cases, in the order of the table. */
export const SCALE_CASES: readonly ScaleCase[] = [transitions, successors, resting];
