import { entityId } from '../protocol/names.js';
import type { OperationStatus, Participant } from './status.js';

/** The operation in Markdown, for Temporal's UI. S5.6 */
export function describeOperation(status: OperationStatus): string {
  const open = (kind: string) => status.items.filter((item) => item.kind === kind && item.state === 'open').length;
  const participants = Object.values(status.participants);
  // Participants that have not settled or went wrong come first: a person looks for these.
  const shown = [...participants].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_ROWS);
  const rows = shown.map((each) => `| ${entityId(each)} | ${each.state} | ${describeParticipant(each)} |`);
  const left = participants.length - shown.length;
  const { refusals = [] } = status;
  const errors = status.errors
    .slice(0, MOST_ROWS)
    .map(({ entity, event, message }) => `- ${entity}, ${event}: ${message}`);
  return [
    `**${status.name}**: ${status.outcome}${status.hung ? ' (hung)' : ''}`,
    '',
    ...(status.rejection ? [`Rejected: ${status.rejection.message}`, ''] : []),
    ...(status.cancel === 'none' ? [] : [`Cancel was ${status.cancel}.`, '']),
    ...refusals.slice(0, MOST_ROWS).map(({ entity, message }) => `- ${entity} has refused to cancel: ${message}`),
    ...(refusals.length > 0 ? [''] : []),
    ...(status.outcome === 'running'
      ? [`${open('engagement')} events and ${open('judgement')} reports under way.`, '']
      : []),
    ...(rows.length > 0 ? ['| entity | state | |', '| --- | --- | --- |', ...rows, ''] : []),
    ...(left > 0 ? [`${left} more.`, ''] : []),
    ...(errors.length > 0 ? ['Errors:', ...errors] : []),
  ].join('\n');
}

const MOST_ROWS = 50;

function rank({ waiting, health }: Participant): number {
  return waiting ? 0 : health === 'error' ? 1 : 2;
}

function describeParticipant({ waiting, lost, health }: Participant): string {
  if (waiting) return 'waits for successors or an answer';
  if (lost) return 'lost';
  return health === 'error' ? 'error' : 'settled';
}
