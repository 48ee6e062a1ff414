import type { Command } from 'commander';
import type { Explanation } from '../../client/explain/explanation.js';
import type { EntityAsOf } from '../../service/routes/entity-version.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Api } from '../api/api.js';
import { explanationIfTold } from '../api/explanation.js';
import { pathOfEntity } from '../api/type-paths.js';
import { readAllowedEvents, readEntity, type AllowedEvent, type EntityReading } from '../api/entity.js';
import { Problem } from '../api/problem.js';
import { readTypes } from '../api/reach.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { colours } from '../colours.js';
import { EXIT } from '../exit.js';
import { isDestructive } from '../explanation/reach/destructive.js';
import { reachHint } from '../explanation/reach/reach-hint.js';
import { printText } from '../fold.js';
import { printJson } from '../json.js';
import { meantBy } from '../key-by-parts.js';
import { namesForPeople } from '../names-for-people.js';
import { formatAsOf, formatEntity } from '../output.js';
import { readTree } from '../progress.js';
import { run } from '../run.js';
import { treeLines } from '../tree-lines.js';
import { UsageError } from '../usage-error.js';

/** `reeve get LogicalServer/orders` */
export function defineGet(program: Command): void {
  program
    .command('get')
    .description('show an entity: its state, properties, successors and valid events')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--as-of <version>', 'show it as of that version, from the store')
    .option(
      '--life <life>',
      'with --as-of: the id of an earlier life, if an entity with this key was deleted and created again',
    )
    .option('--tree', 'its successors at all levels, each with its state')
    .option('--json', 'all of it, as JSON')
    .addHelpText(
      'after',
      examples(
        [
          'reeve get LogicalServer/orders',
          'its current state; if no worker answers, the last one in the store, and its time',
        ],
        ['reeve get LogicalServer/orders --as-of 7', 'as it was at version 7'],
        ['reeve get LogicalServer/orders --tree', 'the entities that it has created or raised events on, and theirs'],
        ['reeve get LogicalServer/orders --json | jq .properties', 'for scripts'],
      ),
    )
    .action(run(get));
}

interface GetOptions {
  readonly asOf?: string;
  readonly life?: string;
  readonly tree?: boolean;
  readonly json?: boolean;
}

async function get(target: string, options: GetOptions): Promise<number> {
  const written = parseTarget(target);
  if (options.tree && (options.json || options.asOf !== undefined))
    throw new UsageError('--tree is for people, and shows what is there now. Use it without --json, -o and --as-of.');
  if (options.asOf !== undefined) return getAsOf(written, { ...options, asOf: options.asOf });
  if (options.life !== undefined)
    throw new UsageError('--life needs --as-of: of a past life, only a version can be shown.');
  return withApi('either', async (api) => {
    const ref = await meantBy(api, written);
    if (options.tree) return getTree(api, ref);
    const reading = await readEntity(api, ref);
    const events = await eventsOf(api, ref, reading);
    const { entity, gone } = reading;
    const { stuck, lastTask } = await explanationOf(api, ref, reading);
    if (options.json)
      printJson({ ...entity, gone, ...(events && { events }), ...(stuck.length > 0 && { all_stuck: stuck }) });
    else {
      const names = await namesForPeople(api);
      const shown = { entity: names.entity(entity), gone };
      const allowed = events && names.allowedEvents(ref.type, events);
      printText(formatEntity(shown, { events: allowed, stuck, lastTask }));
    }
    return EXIT.done;
  });
}

async function getTree(api: Api, ref: EntityRef): Promise<number> {
  printText(treeLines(await readTree(api, ref), await namesForPeople(api), colours).join('\n'));
  const type = (await readTypes(api)).find(({ name }) => name === ref.type);
  const ending = type?.events.find(({ name, internal }) => !internal && isDestructive(type, name));
  if (ending) printText(`\n${reachHint(entityId(ref), ending.name)}`);
  return EXIT.done;
}

async function getAsOf(
  written: ReturnType<typeof parseTarget>,
  { asOf, life, json }: GetOptions & { readonly asOf: string },
): Promise<number> {
  if (!/^\d{1,15}$/.test(asOf))
    throw new UsageError(`--as-of takes the number of a version, like 7, and not '${asOf}'.`);
  return withApi('store', async (api) => {
    const ref = await meantBy(api, written);
    const query = life === undefined ? '' : `?life=${encodeURIComponent(life)}`;
    const { body } = await api.ask('GET', `${await pathOfEntity(api, ref)}/as-of/${asOf}${query}`);
    if (json) printJson(body);
    else {
      const was = body as EntityAsOf;
      const names = await namesForPeople(api);
      printText(formatAsOf({ ...was, state: names.state(was.type, was.state) }));
    }
    return EXIT.done;
  });
}

/** Finds what is stuck, of the entity and of all that it waits for, and which worker has run it last. */
async function explanationOf(
  api: Api,
  ref: EntityRef,
  { gone }: EntityReading,
): Promise<Pick<Explanation, 'stuck' | 'lastTask'>> {
  const told = gone ? undefined : await explanationIfTold(api, await pathOfEntity(api, ref));
  return told ?? { stuck: [] };
}

/** Which events are valid; nothing where this is not known: for a deleted entity, or while no worker answers. */
async function eventsOf(
  api: Api,
  ref: EntityRef,
  { entity, gone }: EntityReading,
): Promise<readonly AllowedEvent[] | undefined> {
  if (gone || entity.stale) return undefined;
  try {
    return await readAllowedEvents(api, ref);
  } catch (thrown) {
    // Since the read, the entity was deleted or the worker has gone.
    if (thrown instanceof Problem && ['gone', 'no_answer'].includes(thrown.code)) return undefined;
    throw thrown;
  }
}
