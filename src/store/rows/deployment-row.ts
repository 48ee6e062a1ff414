import type { DeploymentRecord } from '../../protocol/deployment-records.js';
import { filledColumns } from '../writing/filled-columns.js';
import type { Row, Table } from '../writing/table.js';

interface Source {
  readonly record: DeploymentRecord;
  readonly kept: boolean;
}

const COLUMNS = filledColumns<Source>({
  life: ['text', ({ record }) => record.life],
  name: ['text', ({ record }) => record.name],
  component: ['text', ({ record }) => record.origin.component],
  tenant: ['text', ({ record }) => record.origin.tenant],
  subject: ['text', ({ record }) => record.origin.subject],
  request_id: ['text', ({ record }) => record.origin.request],
  detached_from: ['text', ({ record }) => record.origin.detachedFrom],
  started_at: ['time', ({ record }) => record.startedAt],
  phase: ['text', ({ record }) => record.phase],
  since: ['time', ({ record }) => record.since],
  stage: ['smallint', ({ record }) => stageOf(record.phase)],
  end_type: ['text', ({ record }) => record.end?.type],
  end_description: ['text', ({ record }) => record.end?.description],
  end_component: ['text', ({ record }) => record.end?.component],
  undeployed: ['boolean', ({ record }) => record.end && record.end.undeployed === true],
  ended_at: ['time', ({ record }) => record.endedAt],
  at: ['time', ({ record }) => record.at],
  kept: ['boolean', ({ kept }) => kept],
});

export const DEPLOYMENTS: Table = {
  name: 'deployments',
  columns: COLUMNS.types,
  key: ['life'],
  // A row that a lost task has told comes earlier than the one that the task in its place tells.
  newest: ['at', 'stage'],
  sticky: 'kept',
  writtenAt: 'written_at',
};

export function deploymentRow(record: DeploymentRecord, kept: boolean): Row {
  return COLUMNS.row({ record, kept });
}

const STAGES: readonly string[] = ['created', 'deployed', 'starting', 'up', 'ending', 'ended', 'detached'];

/** Grows with the phase: several phases may come in the same millisecond. */
export function stageOf(phase: string): number {
  return STAGES.indexOf(phase);
}
