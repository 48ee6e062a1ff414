import { entityId } from '../protocol/names.js';
import type { OperationStatus } from './operation.js';

/** The operation in Markdown, for Temporal's UI. S5.6 */
export function describeOperation(status: OperationStatus): string {
  const open = Object.values(status.engagements).filter((engagement) => engagement === 'open').length;
  const judging = Object.values(status.judgements).filter((judgement) => judgement === 'open').length;
  const rows = Object.values(status.participants).map((participant) => {
    const rests = participant.waiting
      ? 'waits for its successors'
      : participant.health === 'error'
        ? 'error'
        : 'settled';
    return `| ${entityId(participant)} | ${participant.state} | ${rests} |`;
  });
  const errors = status.errors.map(({ entity, event, message }) => `- ${entity}, ${event}: ${message}`);
  return [
    `**${status.name}**: ${status.outcome}`,
    '',
    ...(status.rejection ? [`Rejected: ${status.rejection.message}`, ''] : []),
    ...(status.outcome === 'running' ? [`${open} events and ${judging} reports under way.`, ''] : []),
    ...(rows.length > 0 ? ['| entity | state | |', '| --- | --- | --- |', ...rows, ''] : []),
    ...(errors.length > 0 ? ['Errors:', ...errors] : []),
  ].join('\n');
}
