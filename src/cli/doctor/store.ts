import { sql } from 'kysely';
import { databasePlace, databaseRemedy, findDatabase } from '../../stack/database.js';
import { openStore, type Store } from '../../store/index.js';
import { messageOf } from '../../definition/thrown.js';
import { findReplicas } from './replicas.js';
import { declaredDimensions } from '../store-session.js';
import { ok, problem, skipped, type Check, type Finding } from './finding.js';

/** `server_version_num` of the oldest PostgreSQL that understands the store's queries. */
const OLDEST = 160_000;

/** Tells whether the store answers, has what this version needs, and lets readers see only the views. */
export const store: Check = {
  about: 'store',
  look: async ({ env, configured }) => {
    const about = 'store';
    let url: string;
    try {
      url = await findDatabase(env);
    } catch (thrown) {
      if (env['DATABASE_URL']) return [problem(about, messageOf(thrown), databaseRemedy(env))];
      if (!configured) return [skipped(about, 'no stack runs')];
      const says = 'not known: DATABASE_URL is not set, and no stack runs';
      return [problem(about, says, 'Set DATABASE_URL to the PostgreSQL database that the workers write to.')];
    }
    const place = databasePlace(url);
    const warnings: string[] = [];
    const opened = openStore({
      url,
      dimensions: await declaredDimensions(),
      warn: (message) => warnings.push(message),
    });
    try {
      return [...(await lookAtStore(opened, place, warnings)), ...(await findReplicas(url))];
    } catch (thrown) {
      return [problem(about, `${place}: ${messageOf(thrown)}`, databaseRemedy(env))];
    } finally {
      await opened.close();
    }
  },
};

async function lookAtStore(opened: Store, place: string, warnings: readonly string[]): Promise<readonly Finding[]> {
  const pending = await opened.pending();
  const { rows } = await sql<{ version: string; number: number }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number
  `.execute(opened.reader);
  const { version = '', number = 0 } = rows[0] ?? {};
  const says = `PostgreSQL ${version} at ${place}`;
  return [
    number >= OLDEST ? ok('store', says) : problem('store', `${says} is too old`, 'It has to be 16 or newer.'),
    pending.length === 0
      ? ok('store schema', 'matches this version')
      : problem('store schema', `to be migrated: ${pending.join(', ')}`, 'Run: reeve store migrate'),
    warnings.length === 0
      ? ok('store readers', 'their database role may read the views, and nothing else')
      : problem('store readers', warnings.join(' '), `As an owner that may make roles, run: reeve store migrate`),
  ];
}
