import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/cli/api/api.js';
import { meantBy, nextParts, writeByParts } from '../../src/cli/key-by-parts.js';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { Berth, Light, Watch } from '../entities/berth.js';
import { callReeve } from '../support/reeve-call.js';
import type { Output } from '../support/reeve-command.js';
import { startTestService, type TestService } from '../support/service.js';

const types = { Berth: { path: '/b', key: ['harbour', 'side', 'number'] }, Watch: { path: '/w' } };
const api = { ask: async () => ({ headers: new Headers(), body: types }) } as unknown as Api;

describe('a key on the command line (S6.3)', () => {
  it('of several parts is its text, or each part by its name in any order', async () => {
    const keys: Readonly<Record<string, string>> = {
      'north,left,7': 'north,left,7',
      'harbour=north,side=left,number=7': 'north,left,7',
      'number=7,harbour=a~1b,side=left': 'a~1b,left,7',
      'side=left,number=7,harbour=harbour=x': 'harbour=x,left,7',
      'a=b,left,7': 'a=b,left,7',
    };
    for (const [key, text] of Object.entries(keys)) {
      expect(await meantBy(api, { type: 'Berth', key }), key).toEqual({ type: 'Berth', key: text });
    }
    for (const ref of [
      { type: 'Watch', key: 'a=b,c=d' },
      { type: 'Unknown', key: 'a=b' },
    ]) {
      expect(await meantBy(api, ref)).toEqual(ref);
    }
  });

  it.each([
    'harbour=n,side=left',
    'harbour=n,side=left,side=right',
    'harbour=n,side=left,7',
    'harbour=n,side=left,pier=7',
  ])('names each part once: not %s', async (key) => {
    await expect(meantBy(api, { type: 'Berth', key })).rejects.toThrow(
      `'${key}' is not a key of Berth: it names each of its parts once, like 'harbour=...,side=...,number=...'`,
    );
  });

  it('is completed part by part', () => {
    expect(nextParts(['server', 'name'], '')).toEqual(['server=', 'name=']);
    expect(nextParts(['server', 'name'], 'name=sales,')).toEqual(['name=sales,server=']);
    expect(nextParts(['server', 'name'], 'name=sales,server=demo,')).toEqual([]);
    expect(nextParts([], '')).toEqual([]);
    expect(writeByParts(['server', 'name'], 'demo,sa~1les')).toBe('server=demo,name=sa~1les');
  });
});

describe('the commands on an entity whose key has several parts (S6.3)', () => {
  let service: TestService;
  let running: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reeve-keys-'));
    const entities = [Berth, Watch, Light];
    service = await startTestService({
      workflows: 'entities/berth-workflows.ts',
      declarations: ['entities/berth.ts'],
      entities,
      resources: [],
    });
    const modules = [{ name: 'harbour', version: 1, entities }];
    running = await startService(createApplication({ reeve: service.reeve, modules, log: pino({ level: 'silent' }) }));
  });
  afterAll(async () => {
    await running.stop();
    await service.close();
  });

  /** Where there is no project: only the service knows the parts. */
  const reeve = (...args: readonly string[]): Promise<Output> =>
    callReeve(args, { REEVE_API: running.url, REEVE_DATA_DIR: folder }, folder);

  it('complete it part by part, as the project declares it', async () => {
    const [definition, zod] = ['dist/src/definition/index.js', 'node_modules/zod/index.js'].map((file) =>
      JSON.stringify(pathToFileURL(resolve(file)).href),
    );
    await writeFile(join(folder, 'package.json'), '{ "reeve": { "definitions": "definitions.mjs" } }');
    await writeFile(
      join(folder, 'definitions.mjs'),
      `import { defineEntity, initial, terminal } from ${definition};
       import { z } from ${zod};
       export const Database = defineEntity('Database', {
         key: z.object({ server: z.string(), name: z.string() }),
         properties: z.object({}),
         states: { Absent: initial(), Ready: terminal() },
         events: { create: { in: 'Absent' } },
         actions: { create: { on: 'create', in: 'Absent', to: 'Ready' } },
       });`,
    );
    const complete = async (word: string) => {
      const { stdout } = await reeve('__complete', '--', 'create', `Database/${word}`);
      return [...stdout.matchAll(/^(.+)\t/gm)].map(([, value]) => value);
    };
    expect(await complete('')).toEqual(['Database/server=', 'Database/name=']);
    expect(await complete('name=sales,')).toEqual(['Database/name=sales,server=']);
  });

  it('take it part by part', async () => {
    const created = await reeve('create', 'Berth/number=7,harbour=north,side=left', '--event', 'open', '--wait');
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^open Berth\/north,left,7: success/) as string,
    });
    for (const name of ['Berth/north,left,7', 'Berth/side=left,number=7,harbour=north']) {
      expect((await reeve('get', name)).stdout, name).toMatch(/^Berth\/north,left,7 {2}Open/);
    }
    const raised = await reeve(
      'raise',
      'Berth/harbour=north,side=left,number=7',
      'extend',
      '--params',
      '{"by":1}',
      '--wait',
    );
    expect(raised).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^extend Berth\/north,left,7: success/) as string,
    });
    expect((await reeve('explain', 'Berth/harbour=north,side=left,number=8')).stdout).toContain('Berth/north,left,8');
    const refused = await reeve('get', 'Berth/harbour=north');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('names each of its parts once') as string,
    });
    const wrong = await reeve('create', 'Berth/harbour=north,side=left,number=x', '--event', 'open');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('number: is not a whole number') as string,
    });
  });
});
