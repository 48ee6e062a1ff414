import { startTestProject, type TestProject } from 'reeve/testing';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Site } from '../src/site/definition.js';

/* On a real Temporal service of its own, with a real worker and real files. */
let folder: string;
let project: TestProject;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sites-'));
  process.env['SITES_FOLDER'] = folder;
  project = await startTestProject();
});
after(async () => {
  await project?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a site is a file as long as it is published', async () => {
  const { reeve } = project;
  const created = await reeve.create(Site, 'home', 'create', { construct: { text: 'hello' } });
  assert.equal((await reeve.operations.result(created)).outcome, 'success');
  const file = join(folder, 'home.html');
  assert.equal(await readFile(file, 'utf8'), 'hello');

  const rewritten = await reeve.raise(Site, 'home', 'rewrite', { text: 'good day' });
  assert.equal((await reeve.operations.result(rewritten)).outcome, 'success');
  assert.equal(await readFile(file, 'utf8'), 'good day');

  const removed = await reeve.raise(Site, 'home', 'remove');
  assert.equal((await reeve.operations.result(removed)).outcome, 'success');
  await assert.rejects(readFile(file), { code: 'ENOENT' });
});
