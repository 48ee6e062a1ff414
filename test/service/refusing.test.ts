import { Client, type Connection } from '@temporalio/client';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication, type Application } from '../../src/service/application.js';
import { connect } from '../../src/temporal/connection.js';
import { BOXES, ENTITIES, MODULE } from '../support/management.js';
import { startRefusingTemporal, type RefusingTemporal } from '../support/refusing-temporal.js';

let temporal: RefusingTemporal;
let connection: Connection;
let application: Application;
beforeAll(async () => {
  temporal = await startRefusingTemporal();
  connection = await connect({ address: temporal.address });
  application = createApplication({
    reeve: new ReeveClient({ client: new Client({ connection }), entities: ENTITIES }),
    ...{ modules: [MODULE], log: pino({ level: 'silent' }) },
    // A call that the client itself tries again takes longer than anybody waits.
    settings: { answerMs: 2_000 },
  });
});
afterAll(async () => {
  await connection.close();
  await temporal.close();
});

const PLACE = { key: 'one', event: 'place', parameters: { label: 'x' } };
const ASKED: readonly (readonly [method: string, path: string, json?: unknown])[] = [
  ['POST', BOXES, PLACE],
  ['POST', `${BOXES}/one/look`],
  ['POST', `${BOXES}/one/retry-action`],
  ['GET', `${BOXES}/one`],
  ['GET', `${BOXES}/one/allowed-events`],
  ['GET', `${BOXES}/one/change-stream`],
  ['GET', `${BOXES}/one/explanation`],
  ['GET', '/api/operations/one'],
  ['GET', '/api/operations/one?on=Box%2Fone'],
  ['GET', '/api/operations/one/change-stream'],
  ['GET', '/api/operations/one/explanation'],
  ['POST', '/api/operations/one/cancel'],
];

async function ask(method: string, path: string, json?: unknown): Promise<string> {
  const sent = json !== undefined && { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  const { status, headers } = await application.fetch(new Request(`http://127.0.0.1${path}`, { method, ...sent }));
  return `${method} ${path}: ${status}, come again after ${headers.get('retry-after')} s`;
}

describe('what Temporal refuses is answered with when to come again, and never as a defect (S5.2, S6.1)', () => {
  it.each([
    [1, 'CANCELLED'],
    [4, 'DEADLINE_EXCEEDED'],
    [7, 'PERMISSION_DENIED'],
    [8, 'RESOURCE_EXHAUSTED'],
    [9, 'FAILED_PRECONDITION'],
    [10, 'ABORTED'],
    [13, 'INTERNAL'],
    [14, 'UNAVAILABLE'],
    [16, 'UNAUTHENTICATED'],
  ])('%i %s', async (code) => {
    temporal.refuseWith(code);
    const answers = await Promise.all(ASKED.map(([method, path, json]) => ask(method, path, json)));
    expect(answers).toEqual(ASKED.map(([method, path]) => `${method} ${path}: 503, come again after 5 s`));
  });
});
