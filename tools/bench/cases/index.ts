import type { Case } from '../case.js';
import { creation } from './creation.js';
import { footprint } from './footprint.js';
import { hotEntity } from './hot-entity.js';
import { manyEntities } from './many-entities.js';
import { memory } from './memory.js';
import { oneEvent } from './one-event.js';
import { ownWorkflows } from './own-workflows.js';
import { read } from './read.js';
import { rejection } from './rejection.js';
import { rest } from './rest.js';
import { wakeUp } from './wake-up.js';
import { workerStart } from './worker-start.js';

/** The cases, in the order of the table. */
export const CASES: readonly Case[] = [
  ...oneEvent,
  ...manyEntities,
  ...hotEntity,
  ownWorkflows,
  rejection,
  read,
  creation,
  wakeUp,
  workerStart,
  memory,
  rest,
  ...footprint,
];

/** The cases that two builds are compared by, unless others are asked for: an event of each kind, and many callers of one entity. */
export const TELLING = ['many-turn', 'many-probe', 'many-overhaul', 'hot-64', 'hot-512'];
