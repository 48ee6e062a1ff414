import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, implementActions, initial, stable, unstable } from '../../src/definition/index.js';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { batch, caller, job, plan } from '../entities/job-actions.js';
import { Box, shelf } from '../entities/box.js';
import { seeds } from '../support/seeds.js';
import { Batch, Caller, Job, machines, Plan } from '../entities/job.js';
import { box } from '../entities/workflows.js';

const SEEDS = seeds(60);
const FAULTS = { crash: 0.1, loseAnswer: 0.1, slow: 0.2, rollOver: 0.1 } as const;

function simulation(seed: number, faults = {}): Simulation {
  const resources = [fakeResource(machines, { work: async () => ({}) })];
  return simulate([job, batch, plan], { seed, resources, faults });
}

const errors = (result: { readonly errors: readonly { readonly code: string }[] }) =>
  result.errors.map(({ code }) => code);

describe('an action that waits for an event', () => {
  it.each(SEEDS)('goes on when all that the event has set off has settled (S4.2), seed %i', async (seed) => {
    const sim = simulation(seed, FAULTS);
    const taken = await sim.create(Plan, 'p', 'carryOut', { jobs: ['a', 'b', 'c'] });
    const result = await sim.result(taken);
    expect(sim.read(Plan, 'p').properties).toEqual({ batch: 'Finished' });
    expect(['a', 'b', 'c'].map((key) => sim.read(Job, key).state)).toEqual(['Done', 'Done', 'Done']);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    await sim.settle();
  });
});

describe('an action that waits for an entity which is terminated', () => {
  it.each(seeds(20))('hears that it is lost, long before its time limit (S4.4), seed %i', async (seed) => {
    const resources = [fakeResource(machines, { work: async () => ({}) })];
    const sim = simulate([job, caller], { seed, resources });
    // The answer comes after the worker was taken for dead: there is time to end the job by force.
    sim.inject({ at: { call: 'machines.work' }, fault: 'lose-answer' });
    const taken = await sim.create(Caller, 'c', 'call');
    await sim.advance('1s');
    expect(sim.read(Job, 'c').running?.action).toBe('work');
    sim.terminate(Job, 'c');
    const before = sim.now;
    const result = await sim.result(taken);
    expect(sim.now - before).toBeLessThan(10 * 60_000);
    expect(sim.read(Caller, 'c').properties).toEqual({ said: 'lost' });
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ entity: 'Job/c', code: 'lost' }] });
  });
});

describe('a request to cancel', () => {
  it.each(SEEDS)('aborts what runs, and the operation ends canceled (S3.2, S4.7), seed %i', async (seed) => {
    const sim = simulation(seed, FAULTS);
    sim.inject({ at: { call: 'machines.work' }, fault: 'slow' });
    const taken = await sim.create(Batch, 'x', 'run', { jobs: ['a', 'b'] });
    await sim.cancel(taken.answer.operation);
    const result = await sim.result(taken);
    // A job that had ended, or had not begun, when it was asked has nothing to cancel.
    const states = ['a', 'b'].map((key) => sim.read(Job, key).state);
    expect(states.every((state) => state === 'Done' || state === 'Stopped')).toBe(true);
    expect(result.outcome).toBe(states.includes('Stopped') ? 'canceled' : 'success');
    expect(errors(result)).toEqual([]);
    expect(sim.read(Batch, 'x').state).toBe('Finished');
    await sim.settle();
  });
});

describe('an event that takes the place of another operation', () => {
  it.each(SEEDS)('ends that one canceled, at once (S4.8), seed %i', async (seed) => {
    const sim = simulation(seed, FAULTS);
    const started = await sim.create(Job, 'j', 'start');
    const stopped = await sim.raise(Job, 'j', 'stop').catch(() => undefined);
    const result = await sim.result(started);
    if (stopped) expect((await sim.result(stopped)).outcome).not.toBe('canceled');
    const { state } = sim.read(Job, 'j');
    expect(result.outcome).toBe(state === 'Stopped' ? 'canceled' : 'success');
    await sim.settle();
  });
});

/** Asks a helper that is not there, makes it, and asks again in another attempt. */
const Asker = defineEntity('Asker', {
  key: z.string(),
  properties: z.object({ heard: z.string().optional() }),
  states: { New: initial(), Asking: unstable(), Done: stable() },
  events: { begin: { in: ['New', 'Done'] } },
  actions: { begin: { on: 'begin', in: ['New', 'Done'], to: 'Asking' }, ask: { in: 'Asking', to: 'Done' } },
});
const asker = implementActions(Asker, {
  begin: async (app) => app.goTo('Asking'),
  ask: async (app) => {
    const asked = await app.raiseAndWait(Box, app.key, 'look', { within: '1h' });
    const outcome = await app.createAndWait(Box, app.key, 'place', { label: 'red' }, { within: '1h' });
    if (app.attempt === 1) throw new Error(`not yet: ${asked.status}, ${outcome.status}`);
    app.properties.heard = asked.status;
    return app.goTo('Done');
  },
});
const shelves = fakeResource(shelf, { put: () => ({ place: 1 }), look: () => ({ place: 2 }) });

describe('an action that asks again', () => {
  it('hears of an event that was rejected in its last attempt and is accepted in this one (S3.3, S3.4, S4.2)', async () => {
    const sim = simulate([asker, box], { resources: [shelves] });
    const result = await sim.result(await sim.create(Asker, 'a', 'begin'));
    expect(sim.read(Asker, 'a')).toMatchObject({ state: 'Done', properties: { heard: 'settled' } });
    expect(result.endedAt! - result.startedAt).toBeLessThan(60_000);
    await sim.settle();
  });
});

describe('an operation whose participant is terminated before it has judged what it was told', () => {
  it('waits no longer for that, also when another entity lives under the key (S4.2, S4.4)', async () => {
    const sim = simulate([asker, box], { resources: [shelves] });
    sim.inject({ at: { call: 'shelf.put' }, fault: 'fail' });
    const taken = await sim.create(Asker, 'a', 'begin');
    await sim.advance(50);
    expect(sim.read(Asker, 'a')).toMatchObject({ running: { action: 'ask' }, judgements: [{}] });
    sim.terminate(Asker, 'a');
    await sim.create(Asker, 'a', 'begin');
    expect(await sim.result(taken)).toMatchObject({ outcome: 'failed', errors: [{ code: 'lost', entity: 'Asker/a' }] });
    await sim.settle();
  });
});
