import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { startFarmService, type FarmService } from '../support/farm-service.js';
import { callReeve } from '../support/reeve-call.js';
import type { Output } from '../support/reeve-command.js';
import { outputChecks } from '../support/output-checks.js';
import { until } from '../support/until.js';

/* Operations over partitions at the command line: in a project that has nothing else, as the operator, and elsewhere, over HTTP. */
let service: FarmService;
let api: RunningService;
let project: string;
let elsewhere: string;

beforeAll(async () => {
  service = await startFarmService(6);
  api = await startService(
    createApplication({
      reeve: service.reeve,
      modules: [],
      log: pino({ level: 'silent' }),
      settings: { lookMs: [20, 100] },
    }),
  );
  elsewhere = await mkdtemp(join(tmpdir(), 'reeve-elsewhere-'));
  project = await mkdtemp(join(tmpdir(), 'reeve-farm-'));
  const at = (path: string) => pathToFileURL(resolve(path)).href;
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ type: 'module', reeve: { distributed: 'operations.js' } }),
  );
  await writeFile(
    join(project, 'operations.js'),
    `import { defineDistributedOperation } from '${at('dist/src/distributed/index.js')}';
     import { z } from '${at('node_modules/zod/index.js')}';
     export const sow = defineDistributedOperation('sow', {
       argument: z.object({ crop: z.string(), rows: z.number().default(3) }),
       object: ({ crop }) => crop,
       on: 'primary',
       canFail: false,
       progress: { schema: z.object({ done: z.number(), total: z.number() }), kept: 'executor' },
     });`,
  );
});
afterAll(async () => {
  await api.stop();
  await service.close();
});

const temporal = () => ({ TEMPORAL_ADDRESS: service.environment.address, TEMPORAL_NAMESPACE: service.namespace });
const here = (...args: readonly string[]): Promise<Output> =>
  callReeve(args, { ...temporal(), DATABASE_URL: undefined }, project);
const there = (...args: readonly string[]): Promise<Output> => {
  const nothing = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_DATA_DIR: join(elsewhere, 'none') };
  return callReeve(args, { ...nothing, REEVE_API: api.url }, elsewhere);
};

describe.each([
  ['in the project', here, 'rye'],
  ['over HTTP', there, 'oats'],
] as const)('reeve distributed, %s (S6.3, I8)', (_way, reeve, crop) => {
  const name = (output: Output) => /^(\S+): started\n/.exec(output.stdout)![1]!;

  it('starts an operation, follows it to its end, shows it and lists it (I3)', async () => {
    const params = JSON.stringify({ crop });
    const started = await reeve('distributed', 'start', 'sow', service.target, '--params', params);
    expect(started, started.stderr).toMatchObject({ code: 0 });
    const followed = await reeve('distributed', 'follow', name(started));
    expect(followed).toMatchObject({ code: 0, stdout: `${name(started)}  succeeded\n` });
    expect(followed.stderr).toMatch(/100\.0 % {2}6 of 6 jobs {2}[\d.]+ jobs\/s {2}took [\d.]+ s\n$/);
    const shown = await reeve('distributed', 'show', name(started));
    expect(shown.stdout).toMatch(new RegExp(`^${name(started)}  succeeded\n.*100.0 %(.|\n)*works on ${crop}\n`));
    const listed = await reeve('distributed', 'list', '--target', service.target);
    expect(listed.stdout).toMatch(new RegExp(`OPERATION +STATE +STARTED\n(.|\n)*${name(started)}`));
    const json = await reeve('distributed', 'show', name(started), '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: name(started), done: 1, jobs: { all: 6, succeeded: 6 } });
    // The project declares nothing else, so there are no schemas of it.
    const schemas = JSON.parse((await reeve('schema')).stdout) as { readonly $defs: object };
    expect(Object.keys(schemas.$defs)).not.toContain('reeve get');
    const mistakesIn = outputChecks(schemas);
    expect(mistakesIn(['distributed', 'show'], JSON.parse(json.stdout))).toEqual([]);
    const list = await reeve('distributed', 'list', '--json');
    expect(mistakesIn(['distributed', 'list'], JSON.parse(list.stdout))).toEqual([]);
    expect(await reeve('schema', 'get')).toMatchObject({ code: 2, stderr: expect.stringContaining('does not have') });
  });

  it('pauses, limits, resumes and cancels (I5)', async () => {
    service.farm.rowMs = 100;
    const params = JSON.stringify({ crop: `winter ${crop}`, rows: 10_000 });
    const started = await reeve('distributed', 'start', 'sow', service.target, '--params', params, '--at-once', '2');
    const operation = name(started);
    expect((await reeve('distributed', 'pause', operation)).stdout).toBe(
      `${operation}  paused  at most 2 jobs at once\n`,
    );
    expect((await reeve('distributed', 'limit', operation, '--at-once', '1')).stdout).toContain(
      'at most 1 job at once',
    );
    expect((await reeve('distributed', 'resume', operation)).stdout).toContain(`${operation}  running`);
    const taken = await reeve('distributed', 'start', 'sow', service.target, '--params', params);
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain(`winter ${crop}`);
    const cancelled = await reeve('distributed', 'cancel', operation, '--reason', 'frost', '--wait');
    expect(cancelled).toMatchObject({ code: 0, stdout: `${operation}  canceled: frost\n` });
    service.farm.rowMs = 0;
    expect(await reeve('distributed', 'limit', operation)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--at-once'),
    });
  });

  it('retries a job, and says why one cannot be moved (I5)', async () => {
    const { farm } = service;
    farm.rowMs = 100;
    farm.stuck.set(2, 1);
    farm.postponed.set(2, 'The tractor is in the workshop.');
    const params = JSON.stringify({ crop: `late ${crop}`, rows: 10_000 });
    const operation = name(
      await reeve('distributed', 'start', 'sow', service.target, '--params', params, '--at-once', '6'),
    );
    await until(async () => {
      const shown = await reeve('distributed', 'show', operation);
      expect(shown.stdout).toMatch(/partition 2 is tried again after 1 attempt: The tractor is in the workshop\./);
    });
    expect(await reeve('distributed', 'retry', operation, '2')).toMatchObject({
      ...{ code: 0, stdout: `${operation}  running  partition 2 is attempted now\n` },
    });
    const moved = await reeve('distributed', 'move', operation, '3', 'mars');
    expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining(`There is no place 'mars', only: west.`) });
    expect((await reeve('distributed', 'retry', operation, 'all')).code).toBe(2);
    await reeve('distributed', 'cancel', operation, '--wait');
    farm.rowMs = 0;
    farm.postponed.clear();
  });

  it('says what is wrong (S6.1)', async () => {
    const unknown = await reeve('distributed', 'show', `${service.target}/sow/999`);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('sow/999') });
    const mow = await reeve('distributed', 'start', 'mow', service.target);
    expect(mow).toMatchObject({ code: 2, stderr: expect.stringContaining('sow') });
    const nowhere = await reeve('distributed', 'start', 'sow', 'nowhere', '--params', JSON.stringify({ crop }));
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('nowhere') });
  });
});
