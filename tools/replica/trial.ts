import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dimensionNames } from '../../src/definition/dimension-names.js';
import { createDatabase, openStore, type Store } from '../../src/store/index.js';
import type { Verification } from '../../src/store/replica/index.js';
import type { Random } from '../../src/simulation/index.js';
import { controlPlane } from '../../workflows/definitions.js';
import { KeptCommand, reeveReplica } from './command.js';
import { Load } from './load.js';
import { MortalServer } from './mortal-server.js';

export interface Trial {
  /** An empty folder for two servers. */
  readonly folder: string;
  readonly kills: number;
  readonly random: Random;
  readonly report: (line: string) => void;
}

/** Those of this project, as the command takes them. */
const DIMENSIONS = dimensionNames(controlPlane);

/** The programs that are killed: the command, or one of the two servers with all its processes. */
const VICTIMS = ['command', 'store', 'replica'] as const;
const LONGEST_PEACE_MS = 3_000;
const LONGEST_AWAY_MS = 1_000;
const SETTLES_WITHIN_MS = 120_000;

/**
 * Keeps a replica of a store that is written to all the time, while the command, the store's server and the replica's are killed in
 * turns; compares both; promotes the replica, and uses it. What was wrong; nothing when all was right. A6
 */
export async function replicaUnderKills({ folder, kills, random, report }: Trial): Promise<readonly string[]> {
  const [store, replica] = [new MortalServer(join(folder, 'store')), new MortalServer(join(folder, 'replica'))];
  const undo: (() => Promise<unknown>)[] = [() => store.remove(), () => replica.remove()];
  try {
    await Promise.all([store.start(), replica.start()]);
    const env = { DATABASE_URL: store.url('reeve'), REEVE_REPLICA_TO: replica.url('reeve') };
    await createDatabase(env.DATABASE_URL);
    const written = openStore({ url: env.DATABASE_URL, dimensions: DIMENSIONS });
    undo.push(() => written.close());
    await written.migrate();
    const load = new Load(written);
    undo.push(() => load.stop());
    const command = new KeptCommand(env);
    undo.push(() => command.stop());
    await killAll({ store, replica, command }, { kills, random, report });
    return await judge({ env, command, load, secrets: [store.password, replica.password] }, report);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

interface Mortals {
  readonly store: MortalServer;
  readonly replica: MortalServer;
  readonly command: KeptCommand;
}

async function killAll(mortals: Mortals, { kills, random, report }: Pick<Trial, 'kills' | 'random' | 'report'>) {
  for (let kill = 0; kill < kills; kill++) {
    // Soon enough that most come before the replica has caught up with the last one.
    await delay(random.next() * LONGEST_PEACE_MS);
    const victim = VICTIMS[kill % VICTIMS.length]!;
    const last = mortals.command.statuses.at(-1);
    report(`kill ${kill + 1}: ${victim}${last ? `, while the replica was ${last.state}, ${lagWords(last)}` : ''}`);
    if (victim === 'command') {
      mortals.command.kill();
      continue;
    }
    await mortals[victim].kill();
    await delay(random.next() * LONGEST_AWAY_MS);
    await mortals[victim].start();
  }
}

interface Evidence {
  readonly env: { readonly DATABASE_URL: string; readonly REEVE_REPLICA_TO: string };
  readonly command: KeptCommand;
  readonly load: Load;
  readonly secrets: readonly string[];
}

async function judge({ env, command, load, secrets }: Evidence, report: Trial['report']): Promise<readonly string[]> {
  const problems: string[] = [];
  if (!(await settles(command))) problems.push(`the replica did not come to follow: ${command.printed.slice(-2_000)}`);
  const lags = command.statuses.flatMap(({ lag }) => (lag ? [lag] : []));
  const worst = lags.reduce((most, { behind_ms: ms }) => Math.max(most, ms / 1_000), 0);
  if (lags.length === 0) problems.push('no lag was shown');
  report(
    `the lag was shown ${lags.length} times: up to ${worst.toFixed(1)} s, ${Math.max(...lags.map(({ rows }) => rows))} rows`,
  );
  // People go on writing meanwhile.
  const verified = await reeveReplica(['--verify', '--json'], env);
  if (verified.code !== 0) problems.push(`--verify: exit code ${verified.code}: ${verified.stdout}${verified.stderr}`);
  else report(`compared at one position, ${rowsOf(verified.stdout)} rows: no difference`);
  const promoted = await reeveReplica(['--promote', '--stop-writes', '--json'], env);
  await load.stop();
  await command.stop();
  const said = [command.printed, verified.stdout, verified.stderr, promoted.stdout, promoted.stderr].join('\n');
  if (secrets.some((secret) => said.includes(secret))) problems.push('a password was printed');
  if (promoted.code !== 0) {
    const { code, stdout, stderr } = promoted;
    return [
      ...problems,
      `--promote: exit code ${code}: ${stdout}${stderr}; the command: ${command.printed.slice(-2_000)}`,
    ];
  }
  const store = openStore({ url: env.REEVE_REPLICA_TO, dimensions: DIMENSIONS });
  try {
    problems.push(...(await misfunctions(store, load)));
  } finally {
    await store.close();
  }
  report(
    `promoted: ${load.operations.length} operations that the store had promised to keep are there, and it takes more`,
  );
  return problems;
}

/** Lists what does not work of the store that was a replica. */
async function misfunctions(store: Store, load: Load): Promise<readonly string[]> {
  const pending = await store.pending();
  await store.migrate();
  const now = Date.now();
  const id = 'written after the promotion';
  await store.writer.keep([
    {
      ...{ kind: 'operation', id, name: id, startedAt: now, answeredAt: now, outcome: 'running', restarts: 0 },
      dimensions: {},
    },
  ]);
  const rows = await store.reader.selectFrom('operations').select('request_id').execute();
  const there = new Set(rows.map((row) => row.request_id));
  const lacking = [id, ...load.operations].filter((operation) => !there.has(operation));
  return [
    ...(pending.length === 0 ? [] : [`the promoted store was to be migrated: ${pending.join(', ')}`]),
    ...(lacking.length === 0
      ? []
      : [`the promoted store lacks ${lacking.length} operations that were kept: ${lacking[0]}`]),
  ];
}

async function settles(command: KeptCommand): Promise<boolean> {
  const from = command.statuses.length;
  const end = Date.now() + SETTLES_WITHIN_MS;
  while (Date.now() < end) {
    if (command.statuses.slice(from).some(({ state, lag }) => state === 'following' && lag && lag.behind_ms < 1_000))
      return true;
    await delay(100);
  }
  return false;
}

function rowsOf(json: string): number {
  return (JSON.parse(json) as Verification).tables.reduce((sum, { rows }) => sum + rows.store, 0);
}

function lagWords({ lag }: KeptCommand['statuses'][number]): string {
  return lag ? `${lag.rows} rows and ${(lag.behind_ms / 1_000).toFixed(1)} s behind` : 'lag not known';
}
