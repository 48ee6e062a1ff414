import type { ComponentRecord } from '../../protocol/deployment-records.js';
import { TABLES } from '../names.js';
import { filledColumns } from '../writing/filled-columns.js';
import type { Row, Table } from '../writing/table.js';
import { stageOf } from './deployment-row.js';

interface Source {
  readonly record: ComponentRecord;
  readonly kept: boolean;
}

const COLUMNS = filledColumns<Source>({
  life: ['text', ({ record }) => record.life],
  incarnation: ['integer', ({ record }) => record.incarnation],
  path: ['text', ({ record }) => record.path],
  kind: ['text', ({ record }) => record.of],
  phase: ['text', ({ record }) => record.phase],
  stage: ['smallint', ({ record }) => stageOf(record.phase)],
  created_at: ['time', ({ record }) => record.times.created],
  deployed_at: ['time', ({ record }) => record.times.deployed],
  starting_at: ['time', ({ record }) => record.times.starting],
  up_at: ['time', ({ record }) => record.times.up],
  ending_at: ['time', ({ record }) => record.times.ending],
  ended_at: ['time', ({ record }) => record.times.ended],
  detached_at: ['time', ({ record }) => record.times.detached],
  end_type: ['text', ({ record }) => record.end?.type],
  end_description: ['text', ({ record }) => record.end?.description],
  end_component: ['text', ({ record }) => record.end?.component],
  at: ['time', ({ record }) => record.at],
  kept: ['boolean', ({ kept }) => kept],
});

export const COMPONENTS: Table = {
  name: 'components',
  columns: COLUMNS.types,
  key: ['life', 'incarnation'],
  newest: ['at', 'stage'],
  // Of a deployment that has ended, all that has happened is kept.
  offeredWhen: `not exists (select from ${TABLES}.deployments d
    where d.life = new.life and d.kept and d.ended_at is not null)`,
  sticky: 'kept',
};

export function componentRow(record: ComponentRecord, kept: boolean): Row {
  return COLUMNS.row({ record, kept });
}
