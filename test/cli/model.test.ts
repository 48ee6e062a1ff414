import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Model } from '../../src/definition/evolution/model.js';
import { callReeve } from '../support/reeve-call.js';

let model: Model;

beforeAll(async () => {
  const { code, stdout } = await callReeve(['model'], {});
  expect(code).toBe(0);
  model = JSON.parse(stdout) as Model;
});

async function fileOf(altered: Model): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-model-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'model.json');
  await writeFile(file, JSON.stringify(altered));
  return file;
}

it('reeve model has all that the project declares (Q2)', () => {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  expect(names(model.resources)).toEqual(['aliases', 'approvals', 'dataClusters', 'databases', 'names', 'tables']);
  expect(names(model.components)).toEqual(['Probation']);
  expect(names(model.distributed)).toEqual(['buildIndex', 'validate']);
  expect(model.entities.find(({ name }) => name === 'Alias')?.path).toBe('/api/control-plane/v1/Alias');
});

it('reeve diff says where it has compared texts alone, also where it finds no difference (Q2)', async () => {
  const { code, stdout } = await callReeve(['diff', await fileOf(model)], {});
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^no difference\ncode in \d+ declarations was compared only as text, without the values that it captures/,
  );
});

it('reeve diff fails where an operation over partitions is gone (Q2)', async () => {
  const next = await fileOf({ ...model, distributed: model.distributed.filter(({ name }) => name !== 'validate') });
  const { code, stdout } = await callReeve(['diff', await fileOf(model), next, '--json'], {});
  expect(code).toBe(1);
  const { items, comparedByText } = JSON.parse(stdout) as Record<'items' | 'comparedByText', readonly unknown[]>;
  expect(items).toMatchObject([{ place: 'distributed.validate', class: 'strands-entities', open: true }]);
  expect(comparedByText).toContain('distributed.buildIndex');
});

it('reeve diff refuses a model of another format (Q2)', async () => {
  const { code, stderr } = await callReeve(['diff', await fileOf({ ...model, version: 1 } as never)], {});
  expect(code).toBe(2);
  expect(stderr).toContain('this version of Reeve reads format version 2');
});
