import { DefaultLogger, Runtime } from '@temporalio/worker';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import pc from 'picocolors';
import { Random } from '../src/simulation/index.js';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { DEFAULT_TASK_QUEUE, MIGRATE_EVENT } from '../src/protocol/names.js';
import { Fleet } from '../src/rollout/fleet.js';
import { verified } from './replay/entities/definitions.js';
import { replayAll } from './replay/histories.js';
import { DEPLOYMENT, startRig, type Rig, type RigBuild } from './replay/rig.js';
import { RolloutCommand } from './rollout/command.js';
import { FailingCounter } from './rollout/builds/failing-counter.js';
import { FleetLoad } from './rollout/fleet-load.js';

const HELP = `npm run verify-rollout -- [--entities N] [--seed N]

Lets entities go over to other builds of their code by 'reeve rollout', on a real service and under a steady load of events:
entities at rest, and those that sleep until a timer, wait for others, hold reservations, or run actions that wait for somebody
outside. The command is killed in the middle, and goes on. Then a build whose actions fail, after it has brought entities to a newer
schema, and one that cannot begin at all have to be stopped and rolled back by themselves within 30 s. At the end no event may be lost
or done twice, no subscription may have fired anew, and every history has to replay on its own build. Q2, Q1, S4.1a

  --entities N  how many entities there are (default: 1000)
  --seed N      make other random choices (default: 1)

Exit codes: 0 nothing is wrong; 1 something is wrong; 2 the command was not valid.`;

const BACK_WITHIN_MS = 30_000;
const SOME_LOAD_MS = 5_000;
const SETTLED_WITHIN_MS = 20_000;

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  let options: { readonly entities: number; readonly seed: number };
  try {
    const { values } = parseArgs({
      options: {
        entities: { type: 'string', default: '1000' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    options = { entities: Number(values.entities), seed: Number(values.seed) };
    if (!(options.entities >= 200) || !Number.isInteger(options.seed))
      throw new TypeError('Write whole numbers; there are at least 200 entities.');
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const random = new Random(options.seed);
  const say = (line: string) => console.error(pc.dim(line.trimEnd()));
  const rig = await startRig(() => random.next(), say);
  const problems: string[] = [];
  try {
    await verify(rig, options.entities, () => random.next(), say, problems);
  } catch (thrown) {
    problems.push(String(thrown), ...(await failedActions(rig.databaseUrl)));
  } finally {
    await rig.stop();
  }
  for (const problem of problems) console.log(pc.red(problem.slice(0, 600)));
  console.log(problems.length === 0 ? pc.green('nothing is wrong') : pc.red(`${problems.length} problems`));
  return problems.length === 0 ? 0 : 1;
}

async function verify(
  rig: Rig,
  entities: number,
  chance: () => number,
  say: (line: string) => void,
  problems: string[],
): Promise<void> {
  const startedAt = Date.now();
  const command = new RolloutCommand(rig, say);
  const fleet = new Fleet(rig.client, DEPLOYMENT, DEFAULT_TASK_QUEUE);
  const builds: Record<string, RigBuild> = {};
  const failingEntities = verified.map((each) => (each.name === FailingCounter.name ? FailingCounter : each));
  for (const name of ['first', 'next', 'failing', 'stuck']) {
    const path = fileURLToPath(new URL(`./rollout/builds/${name}.js`, import.meta.url));
    builds[name] = await rig.build(name, path, name === 'failing' ? failingEntities : verified);
  }
  const { first, next, failing, stuck } = builds as Record<'first' | 'next' | 'failing' | 'stuck', RigBuild>;
  const step = (what: string, since: number) =>
    console.log(`ok   ${what} (${((Date.now() - since) / 1_000).toFixed(1)} s)`);
  const expect = (what: string, holds: boolean, detail?: unknown) => {
    if (!holds) problems.push(`${what}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`);
  };

  let since = Date.now();
  await first.workers.start();
  await rolledOut(command, ['first', '--cohorts', '100%', '--soak', '0', '--json']);
  const load = new FleetLoad(rig.reeve, entities, chance);
  await load.prepare();
  step(`${entities} entities on the first build`, since);
  const working = load.run();
  await delay(SOME_LOAD_MS);

  since = Date.now();
  await next.workers.start();
  const before = load.ended.all;
  // Killed while the second cohort goes over, and before anything can have been finished.
  const interrupted = command.start('next', '--rate', '50', '--soak', '5', '--json');
  const reached = async () => (await command.status()).builds.find(({ build }) => build === 'next')?.percent === 10;
  while (!(await reached())) if (interrupted.exitCode !== null) break;
  interrupted.kill('SIGKILL');
  await once(interrupted, 'close');
  const told = (await command.status()).builds.find(({ build }) => build === 'next');
  const truth = await fleet.count('next');
  expect(
    'after SIGKILL, the status does not tell the truth',
    told?.percent === 10 && told.note?.state === 'rolling',
    told,
  );
  expect('after SIGKILL, the status counts wrongly', Math.abs((told?.running ?? 0) - truth) <= 30, { told, truth });
  step('the command was killed at 10 %, and the status says so', since);
  since = Date.now();
  await rolledOut(command, ['next', '--rate', '50', '--soak', '5', '--json']);
  const left = await fleet.count('first');
  expect('the first build is not drained', left === 0, left);
  step(
    `all went over to the next build, while ${load.ended.all - before} operations ended; the first is drained`,
    since,
  );
  await first.workers.end('SIGTERM');
  await delay(SOME_LOAD_MS);

  for (const [bad, what] of [
    [failing, 'a build whose actions fail'],
    [stuck, 'a build that cannot begin'],
  ] as const) {
    await bad.workers.start();
    since = Date.now();
    const { printed, code } = await command.run(
      bad.name,
      '--cohorts',
      '10%,100%',
      '--rate',
      '50',
      '--soak',
      '60',
      '--json',
    );
    const took = Date.now() - since;
    const end = JSON.parse(printed || '{}') as { kind?: string; reason?: string; left?: number };
    expect(`${what} was not rolled back`, end.kind === 'rolled_back' && code === 1, { printed, code });
    expect(`${what} was rolled back too late`, took < BACK_WITHIN_MS, took);
    const after = await command.status();
    const roles = Object.fromEntries(after.builds.map((each) => [each.build, each]));
    expect(`after ${what}, new runs do not begin on the next build`, roles['next']?.role === 'current', after);
    await untilNone(() => fleet.count(bad.name), `something is left on ${what}`, problems);
    step(`${what} was stopped and rolled back: ${end.reason}`, since);
    await bad.workers.end('SIGTERM');
    await delay(SOME_LOAD_MS);
  }

  load.end();
  await working;
  await delay(SOME_LOAD_MS);
  problems.push(...load.problems);
  await untilExamined(load, problems);
  problems.push(...(await firedAnew(rig.databaseUrl)));
  const { up, down } = await migrated(rig.databaseUrl);
  expect('not all that were migrated have come back', up > 0 && up === down, { up, down });
  console.log(`     ${up} counters came to the newer schema of the failing build, and ${down} back`);
  const unhealthy: string[] = [];
  for await (const { id } of fleet.failing()) unhealthy.push(id);
  expect('tasks fail', unhealthy.length === 0, unhealthy.slice(0, 5));
  await next.workers.end('SIGTERM');
  const since2 = Date.now();
  let histories = 0;
  for (const build of [first, next, failing]) {
    const folder = join(dataDirectoryFrom(), 'replay-failed');
    const replayed = await replayAll(rig.client, build.code, folder, `${DEPLOYMENT}:${build.name}`);
    histories += replayed.histories;
    problems.push(...replayed.problems);
  }
  step(`${histories} histories replayed, each on its own build`, since2);
  const { all, failed } = load.ended;
  console.log(
    `${all} operations, ${failed} of them failed, in ${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes`,
  );
}

async function rolledOut(command: RolloutCommand, words: readonly string[]): Promise<void> {
  const { printed, code } = await command.run(...words);
  // Nothing of what follows would mean anything.
  if (code !== 0) throw new Error(`reeve rollout ${words.join(' ')} ended with ${code}: ${printed}`);
}

async function untilNone(count: () => Promise<number>, problem: string, problems: string[]): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const left = await count();
    if (left === 0) return;
    if (Date.now() > until) return void problems.push(`${problem}: ${left}`);
    await delay(500);
  }
}

async function untilExamined(load: FleetLoad, problems: string[]): Promise<void> {
  // The last lamps burn out, and the last transfers end.
  for (const until = Date.now() + SETTLED_WITHIN_MS; ;) {
    const found = await load.examine();
    if (found.length === 0) return;
    if (Date.now() > until) return void problems.push(...found);
    await delay(1_000);
  }
}

/** The latest actions that have failed, each with its error. */
function failedActions(databaseUrl: string): Promise<readonly string[]> {
  return inStore(databaseUrl, async (database) => {
    const { rows } = await database.query<{ line: string }>(
      `select concat_ws(' ', e.state_machine_type || '/' || e.keys, t.action_name, t.outcome, left(r.error_details, 300)) as line
        from reeve.state_machine_transitions t join reeve.state_machine_events e using (event_id)
          left join reeve.workflow_errors r on r.error_id = t.error_id
        where t.outcome in ('failed', 'exhausted') order by t.transition_time desc limit 10`,
    );
    return rows.map(({ line }) => `failed: ${line}`);
  });
}

/** How often counters came to a newer schema, and back: one after the other. */
function migrated(databaseUrl: string): Promise<{ readonly up: number; readonly down: number }> {
  return inStore(databaseUrl, async (database) => {
    const { rows } = await database.query<{ up: number; down: number }>(
      `with numbered as (
         select row_number() over (partition by keys order by start_time) as number from reeve.state_machine_events where event = $1
       )
       select count(*) filter (where number % 2 = 1)::integer as up, count(*) filter (where number % 2 = 0)::integer as down from numbered`,
      [MIGRATE_EVENT],
    );
    return rows[0]!;
  });
}

/** The subscriptions and deadlines that have fired more than once. */
function firedAnew(databaseUrl: string): Promise<readonly string[]> {
  return inStore(databaseUrl, async (database) => {
    const { rows } = await database.query<{ name: string; times: number }>(
      `select state_machine_type || '/' || keys as name, count(*)::integer as times from reeve.state_machine_events
        where event in ('furnished', 'burnOut') group by 1 having count(*) > 1`,
    );
    const fired = await database.query<{ rooms: number }>(
      `select count(*)::integer as rooms from reeve.state_machine_events where event = 'furnished'`,
    );
    const none = fired.rows[0]?.rooms ? [] : ['the store tells of no subscription'];
    return [...none, ...rows.map(({ name, times }) => `${name} has fired ${times} times`)];
  });
}

async function inStore<T>(databaseUrl: string, ask: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  try {
    return await ask(database);
  } finally {
    await database.end();
  }
}
