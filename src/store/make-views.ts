import type pg from 'pg';
import { hash53 } from './hash.js';
import { VIEWS } from './names.js';
import { ALL_VIEWS, OTHER_VIEWS } from './views/index.js';
import { viewStatement } from './views/view.js';

/** Makes the views, with a column for each dimension. Does nothing when they are already as they should be. */
export async function makeViews(client: pg.ClientBase, dimensions: readonly string[]): Promise<void> {
  const { statements, mark } = wantedViews(dimensions);
  await client.query(`create schema if not exists ${VIEWS}`);
  if ((await foundMark(client)) === mark) return;
  const existing = await client.query<{ viewname: string }>('select viewname from pg_views where schemaname = $1', [
    VIEWS,
  ]);
  const names = existing.rows.map(({ viewname }) => `${VIEWS}."${viewname}"`);
  // All views are dropped at once, since some are made of others.
  const removals = names.length === 0 ? [] : [`drop view ${names.join(', ')}`];
  // Several statements in one query are one transaction, so readers see either the old views or the new ones.
  await client.query([...removals, ...statements, `comment on schema ${VIEWS} is '${mark}'`].join(';\n'));
}

/** Tells whether the views are as they should be. */
export async function areViewsCurrent(client: pg.ClientBase, dimensions: readonly string[]): Promise<boolean> {
  return (await foundMark(client)) === wantedViews(dimensions).mark;
}

function wantedViews(dimensions: readonly string[]) {
  const statements = [...OTHER_VIEWS, ...ALL_VIEWS].map((view) => viewStatement(view, dimensions));
  return { statements, mark: `views ${hash53(...statements)}` };
}

/** The mark of the present views. */
async function foundMark(client: pg.ClientBase): Promise<string | null | undefined> {
  const found = await client.query<{ mark: string | null }>(
    `select obj_description(to_regnamespace($1), 'pg_namespace') as mark`,
    [VIEWS],
  );
  return found.rows[0]?.mark;
}
