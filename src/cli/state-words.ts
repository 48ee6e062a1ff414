import type { EntityRepresentation } from './api/entity.js';
import type { Colours } from './colours.js';

/** In which state an entity is, what it does there, and what went wrong. */
export function describeState(entity: EntityRepresentation, { red, dim, yellow }: Colours): string {
  const { state, health, exhausted, last_error: lastError } = entity;
  const parts = [health === 'error' || exhausted ? red(state) : state];
  const does = doingWords(entity);
  if (does !== undefined) parts.push(exhausted || entity.stuck_since !== null ? red(does) : dim(does));
  if (lastError) parts.push(yellow(`${lastError.code}: ${lastError.message}`));
  return parts.join('  ');
}

function doingWords(entity: EntityRepresentation): string | undefined {
  const { attempts, running, exhausted, settled, stale, next_attempt_time: next, reserved_by: reserved } = entity;
  const stuck = entity.stuck_since === null ? '' : 'stuck: ';
  const attempt = entity.attempt ?? 0;
  const tries = attempts === null ? `attempt ${attempt}` : `attempt ${attempt} of ${attempts}`;
  if (running) return attempt > 1 ? `${running.action}, ${tries}` : running.action;
  if (next !== null && attempt > 0) return `waits after ${tries}`;
  if (exhausted && stale) return `${stuck}gave up`;
  if (exhausted) return `${stuck}gave up after ${tries}`;
  if (settled || stale || next !== null) return undefined;
  if (reserved) return `is reserved by ${reserved.entity}`;
  return stuck ? `${stuck}none of its successors will change state by itself` : 'waits for successors or an answer';
}
