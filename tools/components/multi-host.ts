import { z } from 'zod';
import {
  call,
  compound,
  component,
  during,
  eventCounter,
  eventSend,
  failAbnormal,
  parallel,
  ref,
  retry,
  sequence,
  tryThen,
  type Description,
  type Reference,
} from '../../src/components/index.js';
import { defineResource } from '../../src/definition/index.js';

/*
 * The example of the source with several hosts: a web server and an application server on each of five hosts, one of which is rogue.
 */

/** The steps that are done on a host, and seen from outside. */
export const steps = defineResource('steps', {
  do: {
    input: z.object({ of: z.string(), what: z.string() }),
    output: z.object({ host: z.string() }),
    // A worker that was killed is noticed soon.
    heartbeat: '2s',
  },
});

export const HOSTS = ['h1', 'h2', 'h3', 'h4', 'h5'];
/** How long an application runs, in milliseconds. */
const RUNS_MS = 45_000;
/** The rogue's run until its failure ends them, however long a worker takes that is killed: so what happens is the same. */
const FOR_EVER = -1;

/** Runs as long as it is up, and says so. */
export const RunDaemon = component('RunDaemon', {
  attributes: z.object({ of: z.string(), name: z.string() }),
  start: async (self) => {
    await self.call(steps.do, { of: self.attributes.of, what: `${self.attributes.name} starts` });
  },
  work: async (self) => self.send('it runs'),
  end: async (self) => {
    await self.call(steps.do, { of: self.attributes.of, what: `${self.attributes.name} stops` });
  },
});

/** The whole system of one deployment. */
export function multiHost(of: string): Description {
  const step = (what: string) => call(steps.do, { of, what });
  const application = (name: string, time = RUNS_MS, tells: Reference[] = []) =>
    sequence(
      {
        a: step(`${name} copied`),
        b: during({ time, action: RunDaemon({ of, name, sendTo: tells }), sfSyncTerminate: true }),
        c: step(`${name} removed`),
      },
      { sfSyncTerminate: true },
    );
  const applications = (node: string, time?: number, tells?: Reference[]) => ({
    webs: application(`${node} web`, time, tells),
    apps: application(`${node} app`, time, tells),
  });
  const reliable = (host: string, action: Description) =>
    tryThen({
      ...{ host, reachWithin: 120_000, sfSyncTerminate: true },
      action: retry({ retries: 1, action, sfSyncTerminate: true }),
      abnormal: step(`${host}: we have a problem`),
    });
  const [rogue, ...others] = [...HOSTS].reverse();
  const node = (host: string) =>
    sequence({
      both: parallel(applications(host), { sfSyncTerminate: true }),
      completed: eventSend({ event: `${host} is completed`, sendTo: [ref('../../../../completion')] }),
    });
  // It fails while both of its applications run. In the source that is after 4 seconds.
  const failing = compound({
    both: parallel(applications('rogue', FOR_EVER, [ref('../../../../failure/heard')]), { sfSyncTerminate: true }),
    failure: sequence({ heard: eventCounter({ count: 2, allDifferent: false }), fails: failAbnormal() }),
  });
  return parallel({
    completion: eventCounter({ count: others.length }),
    ...Object.fromEntries(others.reverse().map((host) => [host, reliable(host, node(host))])),
    rogue: reliable(rogue!, failing),
  });
}
