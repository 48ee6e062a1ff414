import { startTestFunction, type TestProject } from 'reeve/testing';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Site } from '../src/site/definition.js';

/* The function that the template deploys, invoked again and again: no other worker runs. */
let folder: string;
let project: TestProject;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sites-'));
  process.env['SITES_FOLDER'] = folder;
  project = await startTestFunction({ template: 'infra/lambda/template.yaml' });
});
after(async () => {
  await project?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('invocations of the function publish a site', async () => {
  const { reeve } = project;
  const created = await reeve.create(Site, 'invoked', 'create', { construct: { text: 'hello' } });
  assert.equal((await reeve.operations.result(created)).outcome, 'success');
  assert.equal(await readFile(join(folder, 'invoked.html'), 'utf8'), 'hello');
});
