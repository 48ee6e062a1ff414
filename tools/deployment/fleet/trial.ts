import type { KeptProcess } from '../../../src/stack/kept-process.js';
import { choosePort } from '../../../src/stack/ports.js';
import { untilServiceAnswers } from '../../../src/project/index.js';
import { runOnce } from '../run-once.js';
import { ENTRY, startSurroundings } from '../plane.js';
import { startBalancer } from './balancer.js';
import { forAll, Records } from './records.js';

/** How many names are held, how many of them come and go while processes are killed, and how many callers there are. */
const HELD = 1_000;
const RESTLESS = 200;
const CALLERS = 12;
const [SERVICES, WORKERS] = [2, 4];

/**
 * Two services behind one address and four workers, as plain processes, hold 1,000 entities. Each of the processes is killed while
 * callers read, delete and create: they see nothing but slower answers. Gives what is wrong. Q3, S6.1, S4.3
 */
export async function tryFleet(home: string, report: (line: string) => void): Promise<readonly string[]> {
  const around = await startSurroundings(home, report);
  try {
    await runOnce(ENTRY, ['prepare'], around.env);
    const workers: KeptProcess[] = [];
    for (let index = 0; index < WORKERS; index++) workers.push(await around.keep(`worker-${index}`, 'worker'));
    const ports: number[] = [];
    const services: KeptProcess[] = [];
    for (let index = 0; index < SERVICES; index++) {
      const port = await choosePort();
      const service = await around.keep(`service-${index}`, 'service', { ...around.env, REEVE_API_PORT: String(port) });
      await untilServiceAnswers(port, service);
      ports.push(port);
      services.push(service);
    }
    const balancer = await startBalancer(ports);
    try {
      const records = new Records(balancer.url);
      const key = (index: number) => `held-${index}`;
      let since = Date.now();
      await forAll(HELD, CALLERS, (index) => records.create(key(index)));
      report(`${HELD} entities created in ${seconds(since)} s; slowest answer ${records.seen.slowestMs} ms`);
      records.seen.slowestMs = 0;
      since = Date.now();
      const killed = new AbortController();
      const calls = (async () => {
        for (let round = 0; !killed.signal.aborted; round++) {
          await forAll(RESTLESS / 10, CALLERS, async (step) => {
            const index = (round * (RESTLESS / 10) + step) % RESTLESS;
            await records.delete(key(index));
            await records.create(key(index));
            await records.read(key(RESTLESS + ((index * 7) % (HELD - RESTLESS))), ['Ready']);
          });
        }
      })();
      for (const process of [...workers, ...services]) {
        const before = records.seen.asked;
        const pid = await process.pid();
        if (pid === undefined) throw new Error(`${process.logFile}: the process does not run`);
        globalThis.process.kill(pid, 'SIGKILL');
        // The next one is killed when callers have got on, whoever was killed.
        while (records.seen.asked < before + 60) await new Promise((resolve) => setTimeout(resolve, 200));
      }
      killed.abort();
      await calls;
      report(
        `all ${WORKERS} workers and ${SERVICES} services killed within ${seconds(since)} s: ${records.seen.asked} requests in all, slowest answer ` +
          `${records.seen.slowestMs} ms, ${balancer.repeated} repeated by the load balancer`,
      );
      await forAll(HELD, CALLERS, (index) => records.read(key(index), ['Ready']));
      return records.seen.wrong.slice(0, 20);
    } finally {
      await balancer.close();
    }
  } finally {
    await around.stop();
  }
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(0);
}
