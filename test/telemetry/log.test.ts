import { Runtime } from '@temporalio/worker';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOGGED_CHARACTERS } from '../../src/definition/limits.js';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { AHEAD_OF_HISTORY } from '../../src/protocol/names.js';
import { openLog } from '../../src/telemetry/log.js';
import { temporalLogger } from '../../src/telemetry/temporal-logger.js';
import { Box, Room } from '../entities/box.js';
import { ask, MODULE, ROOMS } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const lines: Readonly<Record<string, unknown>>[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
const shelf = new Shelf();
let service: TestService;
let api: RunningService;

beforeAll(async () => {
  Runtime.install({ logger: temporalLogger(log) });
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
  api = await startService(createApplication({ reeve: service.reeve, modules: [MODULE], log }));
});
afterAll(async () => {
  await api.stop();
  await service.close();
});

const logged = (line: Readonly<Record<string, unknown>>) =>
  until(() => Promise.resolve(expect(lines).toContainEqual(expect.objectContaining(line))));

describe('each line of the log (S4.8)', () => {
  it('of an API request, a workflow and a resource call names the operation and the entity', async () => {
    const gate = shelf.hold('oak');
    shelf.failures.set('oak', 1);
    const json = { key: 'hall', event: 'furnish', parameters: { boxes: ['oak'] } };
    const { status, body } = await ask(api, 'POST', ROOMS, { json });
    expect(status).toBe(202);
    const operation = body['request_id'];
    await logged({ entity: 'Room/hall', operation, msg: 'request', method: 'POST', status: 202 });
    await until(() => Promise.resolve(expect(shelf.keys.get('oak')).toHaveLength(1)));
    await service.environment.client.workflow.getHandle('Room/hall').signal('nonsense');
    await logged({ entity: 'Room/hall', operation, msg: "dropped the signal 'nonsense'" });
    gate.open();
    await logged({ entity: 'Box/oak', operation, msg: 'Activity failed', activityType: 'shelf.put' });
    await service.reeve.operations.result({
      entity: { type: 'Room', key: 'hall' },
      event: 'furnish',
      requestId: String(operation),
      answer: { status: 'accepted', operation: String(operation) },
    });
  });

  it('is short, whatever it is told of (S1.5a)', () => {
    const written: string[] = [];
    const short = temporalLogger(pino({}, { write: (line: string) => void written.push(line) }));
    let deep = new Error('leaf');
    for (let depth = 0; depth < 20_000; depth++) deep = new Error('x'.repeat(500), { cause: deep });
    const error = new Error('y'.repeat(5_000_000), { cause: deep });
    short.error('z'.repeat(5_000_000), {
      error,
      bag: { list: Array(10_000).fill('w'.repeat(1_000)) },
      ...{ bytes: new Uint8Array(9) },
    });
    expect(written[0]!.length).toBeLessThan(3 * LOGGED_CHARACTERS);
    expect(JSON.parse(written[0]!)).toMatchObject({
      msg: expect.stringMatching(/^z+\.\.\. \(4,998,000 more characters\)$/),
      err: { type: 'Error', causes: [{}, {}, {}].map(() => expect.stringMatching(/^x+$/)) },
      bytes: '9 bytes',
    });
  });

  it('is not of a read that is refused and asked again, as the SDK warns of it; each message is heard (S4.1a)', () => {
    const said: unknown[] = [];
    const heard: string[] = [];
    const quiet = pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line)) });
    const logger = temporalLogger(quiet, 'WARN', (message) => heard.push(message));
    logger.warn('Failing legacy query request', { failure: `Failure { message: "${AHEAD_OF_HISTORY}" }` });
    logger.error('Failed to process Workflow Activation', { error: new Error(AHEAD_OF_HISTORY) });
    logger.warn('Query not found when attempting to respond to it');
    expect(said).toEqual([]);
    logger.warn('Failing legacy query request', { failure: 'Failure { message: "no such query" }' });
    logger.error('Failed to process Workflow Activation', { error: new Error('a defect') });
    expect(said).toHaveLength(2);
    expect(heard).toHaveLength(5);
  });

  it('is as low as it is set, and a wrong setting says what is right', () => {
    expect(openLog('worker', { REEVE_LOG_LEVEL: 'warn' }).level).toBe('warn');
    expect(openLog('worker', {}).level).toBe('info');
    expect(() => openLog('worker', { REEVE_LOG_LEVEL: 'loud' })).toThrow(/REEVE_LOG_LEVEL is 'loud'.*debug, info/);
  });
});
