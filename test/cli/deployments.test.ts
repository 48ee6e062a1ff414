import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { useMortalServer } from '../store/server.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { callReeve } from '../support/reeve-call.js';
import type { Output } from '../support/reeve-command.js';
import { outputChecks } from '../support/output-checks.js';
import { until } from '../support/until.js';

/* Deployments at the command line: in the project, as the operator, and elsewhere, over HTTP. */
const server = useMortalServer();
let databaseUrl: string;
let store: Store;
let plane: TestControlPlane;
let api: RunningService;
let elsewhere: string;

beforeAll(async () => {
  databaseUrl = await server.database();
  store = openControlPlaneStore(databaseUrl);
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
  elsewhere = await mkdtemp(join(plane.home, 'elsewhere-'));
  const log = pino({ level: 'silent' });
  const modules = [controlPlaneModule];
  api = await startService(createApplication({ reeve: plane.reeve, modules, log, store: serviceStore(store) }));
});
afterAll(async () => {
  await api.stop();
  await plane.close();
  await store.close();
});

const here = (...args: readonly string[]): Promise<Output> =>
  callReeve(args, { TEMPORAL_ADDRESS: plane.environment.address, DATABASE_URL: databaseUrl });
const there = (...args: readonly string[]): Promise<Output> => {
  const nothing = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_DATA_DIR: join(elsewhere, 'none') };
  return callReeve(args, { ...nothing, REEVE_API: api.url }, elsewhere);
};
const ways = [
  ['in the project', here],
  ['over HTTP', there],
] as const;
const isUp = (name: string) =>
  until(async () => {
    expect(JSON.stringify(await plane.reeve.deployments.explain(name))).toMatch(/"kind":"LivenessTest","phase":"up"/);
  });

describe.each(ways)('reeve deploy and reeve deployments, %s (S6.3, W1, W4)', (way, reeve) => {
  const name = way === 'over HTTP' ? 'remote' : 'local';
  const params = (more: object = {}) => JSON.stringify({ url: databaseUrl, ...more });

  it('deploy a component, show its tree, ping it, and end it with the words that are given', async () => {
    const deployed = await reeve('deploy', 'Probation', name, '--params', params(), '--request-id', 'one');
    expect(deployed, deployed.stderr).toMatchObject({ code: 0 });
    expect(deployed.stdout).toMatch(new RegExp(`^Probation ${name}: deployed\n`));
    expect(await reeve('deploy', 'Probation', name, '--params', params(), '--request-id', 'one')).toMatchObject({
      code: 0,
    });
    await isUp(name);
    const shown = await reeve('deployments', 'get', name);
    expect(shown.stdout).toMatch(new RegExp(`^${name} {2}Probation {2}up\n`));
    expect(shown.stdout).toMatch(/└─ running +During +up for .*due in \d+ min/);
    const drawn = await reeve('deployments', 'get', name, '--mermaid');
    expect(drawn.stdout).toMatch(/^flowchart TD\n/);
    const json = JSON.parse((await reeve('deployments', 'get', name, '--json')).stdout) as object;
    expect(json).toMatchObject({ name, component: 'Probation', phase: 'up', stale: false });
    const mistakesIn = outputChecks(JSON.parse((await reeve('schema')).stdout) as object);
    expect(mistakesIn(['deployments', 'get'], json)).toEqual([]);
    const pinged = await reeve('deployments', 'ping', name, '--json');
    expect(mistakesIn(['deployments', 'ping'], JSON.parse(pinged.stdout))).toEqual([]);

    expect(await reeve('deployments', 'ping', name)).toMatchObject({ code: 0 });
    expect(await reeve('deployments', 'set', name, 'note', '{"by": "ann"}')).toMatchObject({
      code: 0,
      stdout: `${name}: note is set\n`,
    });
    expect(await reeve('deployments', 'send', name, '', 'hello')).toMatchObject({ code: 0 });
    const path = 'running/never';
    expect(await reeve('deployments', 'terminate', name, path)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^gone: The component 'running\/never' of/),
    });
    const listed = await until(async () => {
      const { stdout } = await reeve('deployments', '--running');
      expect(stdout).toMatch(new RegExp(`${name} +Probation +up`));
      return stdout;
    });
    expect(listed).toMatch(/^DEPLOYMENT +COMPONENT +PHASE +SINCE/);
    const ended = await reeve(
      ...['deployments', 'terminate', name, '--type', 'abnormal', '--description', 'we close', '--wait'],
    );
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`${name}  Probation  ended abnormal: we close`);
    expect((await reeve('deployments', 'terminate', name)).stdout).toContain(
      'has ended already: ended abnormal: we close',
    );
    expect(await reeve('deployments', 'follow', name)).toMatchObject({ code: 1 });
    await until(async () => {
      const { stdout } = await reeve('deployments', 'list', '--end', 'abnormal');
      expect(stdout).toMatch(new RegExp(`${name} +Probation +ended abnormal: we close`));
    });
  });

  it('follow it to an end of its own, with a line for each change and an exit code', async () => {
    const well = await reeve('deploy', 'Probation', `${name}-well`, '--params', params({ time: 500 }), '--wait');
    expect(well, well.stderr).toMatchObject({ code: 0 });
    expect(well.stderr).toMatch(/running\/running +LivenessTest up\n/);
    expect(well.stdout).toMatch(/ended normal/);
    const wrong = 'postgresql://nobody@127.0.0.1:1/none';
    const ill = `${name}-ill`;
    expect(await reeve('deploy', 'Probation', ill, '--params', params({ url: wrong }))).toMatchObject({ code: 0 });
    await isUp(ill);
    expect(await reeve('deployments', 'ping', ill)).toMatchObject({ code: 0 });
    const followed = await reeve('deployments', 'follow', ill);
    expect(followed).toMatchObject({ code: 1, stdout: expect.stringContaining('the database does not answer') });
  });

  it('tell all mistakes at once, each with its place and a remedy, and deploy nothing', async () => {
    const wrong = await reeve('deploy', 'Probation', `${name}-wrong`, '--params', '{"url": 7, "colour": "red"}');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^invalid_description: /);
    expect(wrong.stderr).toMatch(/\n {2}attributes\.colour: .*Write one of url, time/);
    expect(wrong.stderr).toMatch(/\n {2}attributes\.url: /);
    expect((await reeve('deploy', 'Nothing', 'x')).stderr).toMatch(/^invalid_parameters: .*component/);
    expect((await reeve('deploy', 'Probation', 'x', '--params', '[1]')).stderr).toMatch(
      /--params is not a JSON object/,
    );
    expect((await reeve('deployments', 'set', name, 'url')).stderr).toMatch(/Give either a value or --remove/);
    expect(await reeve('deployments', 'get', `${name}-wrong`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^absent: /),
    });
  });
});
