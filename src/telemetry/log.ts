import pino, { type Logger } from 'pino';
import { shortFields } from './short-fields.js';

/**
 * The log of a process: JSON lines on its standard output. `REEVE_LOG_LEVEL` is the lowest level that is logged, by default
 * `info`.
 * @throws when the value is not a level
 */
export function openLog(process: string, env: NodeJS.ProcessEnv): Logger {
  const level = env['REEVE_LOG_LEVEL'] || 'info';
  const known = [...Object.keys(pino.levels.values), 'silent'];
  if (!known.includes(level)) {
    throw new Error(`REEVE_LOG_LEVEL is '${level}', which is not a level. The levels are: ${known.join(', ')}.`);
  }
  return pino({ level, base: { process }, formatters: { log: shortFields } });
}
