import { crashPoints, fakeResource, ResourceError, simulate } from 'reeve/simulation';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { site } from '../src/site/actions.js';
import { pages } from '../src/site/contract.js';
import { Site } from '../src/site/definition.js';

const resources = () => [
  fakeResource(pages, { publish: ({ name }) => ({ file: `${name}.html` }), remove: () => ({}) }),
];

test('a site is published, rewritten and removed', async () => {
  const sim = simulate([site], { resources: resources() });
  const created = await sim.create(Site, 'home', 'create', { construct: { text: 'hello' } });
  assert.equal((await sim.result(created)).outcome, 'success');
  assert.equal(sim.read(Site, 'home').properties.file, 'home.html');
  await sim.raise(Site, 'home', 'rewrite', { text: 'good day' });
  await sim.settle();
  assert.equal(sim.read(Site, 'home').properties.text, 'good day');
  await sim.raise(Site, 'home', 'remove');
  await sim.settle();
  assert.equal(sim.read(Site, 'home').state, 'Gone');
});

test('a page that is refused is not tried again, and can be rewritten', async () => {
  const publish = ({ name, text }: { readonly name: string; readonly text: string }) => {
    if (text.includes('<script')) throw new ResourceError('script_refused', 'A page has no scripts.');
    return { file: `${name}.html` };
  };
  const sim = simulate([site], { resources: [fakeResource(pages, { publish, remove: () => ({}) })] });
  await sim.create(Site, 'home', 'create', { construct: { text: '<script>' } });
  await sim.settle();
  assert.equal(sim.calls.length, 1);
  assert.equal(sim.read(Site, 'home').state, 'Failed');
  assert.equal(sim.read(Site, 'home').failure?.code, 'script_refused');
  await sim.raise(Site, 'home', 'rewrite', { text: 'hello' });
  await sim.settle();
  assert.equal(sim.read(Site, 'home').state, 'Published');
});

test('whatever goes wrong on the way, it is published, unless the call has failed in each attempt', async () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    const faults = { crash: 0.2, fail: 0.5, loseAnswer: 0.2, slow: 0.2, double: 0.2, rollOver: 0.2 };
    const sim = simulate([site], { seed, resources: resources(), faults });
    await sim.create(Site, 'home', 'create', { construct: { text: 'hello' } });
    await sim.settle();
    // Only a failed call costs an attempt: a crash or a lost answer costs none.
    const failures = sim.calls.filter(({ error }) => error !== undefined).length;
    const { state } = sim.read(Site, 'home');
    assert.equal(state, failures < 5 ? 'Published' : 'Failed', `seed ${seed}`);
    ends.add(state);
  }
  assert.deepEqual([...ends].sort(), ['Failed', 'Published']);
});

test('a crash at any step changes no outcome', async (t) => {
  const { untried, differences } = await crashPoints([site], {
    resources,
    // A path can be tried where these give what entities need at their creation, and what events take.
    construct: { Site: { text: 'hello' } },
    examples: { Site: { rewrite: { text: 'good day' } } },
    // Many states take minutes: 'most' limits how many crashes are tried in one run.
    progress: ({ tried, of, path = '' }) => t.diagnostic(`${tried} of ${of} crashes tried ${path}`),
  });
  assert.deepEqual(untried, []);
  assert.deepEqual(differences, []);
});
