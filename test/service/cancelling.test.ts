import { Client } from '@temporalio/client';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import type { OperationReading } from '../../src/client/operation-reading.js';
import { Rejected } from '../../src/protocol/errors.js';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Box } from '../entities/box.js';

const audited: AuditEntry[] = [];

/** Asks to cancel an operation that has no workflow, and reads so. */
function cancelled(reading: OperationReading) {
  const absent = { code: 'absent', message: 'There is no operation one.', entity: 'op/one', event: '' };
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const reeve = new ReeveClient({ client, entities: [Box] });
  vi.spyOn(reeve.operations, 'read').mockResolvedValue(reading);
  vi.spyOn(reeve.operations, 'cancel').mockRejectedValue(new Rejected(absent));
  const modules = [{ name: 'test', version: 1, entities: [Box] }];
  const audit = { record: (entry: AuditEntry) => void audited.push(entry) };
  const application = createApplication({ reeve, modules, log: pino({ level: 'silent' }), audit });
  const url = 'http://127.0.0.1/api/operations/one/cancel?on=Box%2Fa';
  return application.fetch(new Request(url, { method: 'POST' }));
}

it('an operation that is still to begin, since its entity is busy, is not said to have ended (S4.7)', async () => {
  const beginning = await cancelled({ state: 'beginning', event: 'place' });
  expect(beginning.status).toBe(503);
  expect(await beginning.json()).toMatchObject({ code: 'try_again', operation: 'one' });
  expect(beginning.headers.get('retry-after')).toBe('1');
  const outcome = { state: 'Placed', version: 2, health: 'normal', waiting: false } as const;
  const ended = await cancelled({ state: 'settled', event: 'place', outcome });
  expect(ended.status).toBe(409);
  expect(await ended.json()).toMatchObject({ code: 'already_ended' });
  // The audit trail tells the refused one from one that took effect. S6.5
  expect(audited.map(({ decision, reason }) => [decision, reason])).toEqual([
    ['allowed', undefined],
    ['allowed', 'It was refused: already_ended.'],
  ]);
});
