/*
 * The codes of Reeve's own errors. The pages of the reference are made from them, the management service takes its statuses from them,
 * and the command line its hints. Entities, resources and actions declare codes of their own beside these.
 * Every code that is written in the source has an entry here: `npm run docs:reference -- --check` looks for one without.
 */
import { ACTION_ERRORS } from './actions.js';
import { CALL_ERRORS } from './calls.js';
import { COMMAND_LINE_ERRORS } from './command-line.js';
import { COMPONENT_ERRORS } from './components.js';
import type { ErrorEntry } from './entry.js';
import { EVENT_ERRORS } from './events.js';
import { PARTITION_ERRORS } from './partitions.js';
import { REPLICA_ERRORS } from './replicas.js';
import { REQUEST_ERRORS } from './requests.js';

export type { ErrorEntry, ProblemStatus } from './entry.js';

const TABLE = {
  ...EVENT_ERRORS,
  ...REQUEST_ERRORS,
  ...ACTION_ERRORS,
  ...CALL_ERRORS,
  ...COMPONENT_ERRORS,
  ...PARTITION_ERRORS,
  ...REPLICA_ERRORS,
  ...COMMAND_LINE_ERRORS,
};

/** A code of Reeve's own. */
export type ErrorCode = keyof typeof TABLE;

/** The codes by where they come from, in the order of the reference. */
export const ERROR_GROUPS: Readonly<Record<string, Readonly<Record<string, ErrorEntry>>>> = {
  'Rejected events': EVENT_ERRORS,
  'Requests over HTTP': REQUEST_ERRORS,
  'Actions and outcomes': ACTION_ERRORS,
  'Calls of resources': CALL_ERRORS,
  Components: COMPONENT_ERRORS,
  'Operations over partitions': PARTITION_ERRORS,
  Replicas: REPLICA_ERRORS,
  'The command line': COMMAND_LINE_ERRORS,
};

/** Describes a code; nothing for one that an entity, a resource or an action has declared. */
export function errorEntry(code: string): ErrorEntry | undefined {
  return Object.hasOwn(TABLE, code) ? TABLE[code as ErrorCode] : undefined;
}

/** The page of a code in the guide of the management service; nothing for one that is not Reeve's own. */
export function errorPage(code: string): string | undefined {
  return errorEntry(code) && `/guide/reference/errors/${code}`;
}
