import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/common';
import type { Level, Logger } from 'pino';
import { LONGEST_MESSAGE } from '../definition/limits.js';
import { cut } from '../definition/thrown.js';
import { AHEAD_OF_HISTORY, operationOf, parseEntityId } from '../protocol/names.js';
import { shortFields } from './short-fields.js';

const LEVELS: Readonly<Record<LogLevel, Level>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};
const ORDER = Object.keys(LEVELS);

/**
 * Brings what the Temporal SDK, workflows and activities log into a log of JSON lines. Each line names its entity and its
 * operation, where these are known. S4.8
 * @param from the lowest level that is logged
 * @param hear is called with each message
 */
export function temporalLogger(log: Logger, from: LogLevel = 'WARN', hear?: (message: string) => void): TemporalLogger {
  const lowest = ORDER.indexOf(from);
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}): void => {
    if (ORDER.indexOf(level) < lowest) return;
    hear?.(message);
    log[isOfRefusedRead(message, meta) ? 'debug' : LEVELS[level]](
      shortFields(fieldsOf(meta)),
      cut(message, LONGEST_MESSAGE),
    );
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** Tells whether a message only tells of a refused read, which is as it should be: see `history-gate.ts`. The SDK logs three of them. */
export function isOfRefusedRead(message: string, { error, failure }: LogMetadata): boolean {
  switch (message) {
    case 'Failed to process Workflow Activation':
      return String(error).includes(AHEAD_OF_HISTORY);
    case 'Failing legacy query request':
      return String(failure).includes(AHEAD_OF_HISTORY);
    default:
      return message === 'Query not found when attempting to respond to it';
  }
}

function fieldsOf({ workflowId, taskToken: _, error, ...meta }: LogMetadata): Readonly<Record<string, unknown>> {
  const id = typeof workflowId === 'string' ? workflowId : '';
  const [entity, operation] = [parseEntityId(id), operationOf(id)];
  return {
    ...(entity && { entity: id }),
    ...(operation !== undefined && { operation }),
    ...(id !== '' && !entity && operation === undefined && { workflowId: id }),
    ...meta,
    ...(error !== undefined && { err: error }),
  };
}
