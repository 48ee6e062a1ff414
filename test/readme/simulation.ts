import { crashPoints, fakeResource, simulate } from 'reeve/simulation';
import assert from 'node:assert/strict';
import { hosting, Website, website } from './website.js';

const resources = () => [fakeResource(hosting, { deploy: ({ name }) => ({ url: `https://${name}.example` }) })];

/** The worker dies after it has deployed the website, and before it has reported that. */
export async function oneCrash(): Promise<readonly string[]> {
  const sim = simulate([website], { resources: resources() });
  sim.inject({ at: { entity: 'Website/blog', call: 'hosting.deploy' }, fault: 'crash' });
  const taken = await sim.create(Website, 'blog', 'create');
  const { outcome } = await sim.result(taken); // 'success', 10 s of virtual time later
  await sim.advance('1h');
  await sim.raise(Website, 'blog', 'takeDown');
  await sim.settle();
  return [outcome, ...sim.calls.map(({ idempotencyKey }) => idempotencyKey), ...sim.trace];
}

/** Faults in an order that the seed chooses: the entity settles, and no invariant is broken. */
export async function anySeed(seed: number): Promise<string> {
  const faults = { crash: 0.2, fail: 0.2, loseAnswer: 0.2, slow: 0.2, double: 0.2, rollOver: 0.2 };
  const sim = simulate([website], { seed, resources: resources(), faults });
  await sim.create(Website, 'blog', 'create');
  await sim.settle();
  return sim.read(Website, 'blog').state; // 'Live', or 'Failed' when five attempts failed
}

/** An event that is not accepted rejects the promise, and changes nothing. */
export async function refused(): Promise<string> {
  const sim = simulate([website], { resources: resources() });
  await assert.rejects(sim.raise(Website, 'blog', 'takeDown'), { name: 'Rejected', code: 'absent' });
  await sim.create(Website, 'blog', 'create');
  await assert.rejects(sim.raise(Website, 'blog', 'create'), { name: 'Rejected', code: 'not_valid' });
  const taken = await sim.raise(Website, 'blog', 'takeDown');
  await sim.result(taken);
  return taken.answer.status; // 'waiting', since `deploy` was running
}

/** A crash at every step, along every path that the fakes lead to. Each run has to end as it does without a crash. */
export async function everyCrash(): Promise<readonly string[]> {
  const { paths, untried, differences } = await crashPoints([website], { resources });
  return [
    ...paths.map(({ path, points }) => `${path} (${points} points)`),
    ...untried, // events that no run could raise, with what is missing
    ...differences.map(({ path }) => path),
  ];
}
