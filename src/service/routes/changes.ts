import { z } from '@hono/zod-openapi';
import { ALL_TENANTS } from '../../protocol/actor.js';
import type { ServiceContext } from '../context.js';
import { FeedReader, type Asked } from '../feed/feed-reader.js';
import type { FeedStore } from '../feed/feed-store.js';
import { FeedStreams } from '../feed/feed-streams.js';
import { NotedListeners } from '../feed/noted-listeners.js';
import { changeSchema } from '../feed/represent-change.js';
import { LISTENERS } from '../guard.js';
import { POSITION } from '../../store/index.js';
import { typesOf } from '../module.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import type { StreamSeats } from '../stream-seats.js';
import { plainText } from './parameters.js';
import { jsonOrStreamResponse, jsonResponse, serve, type ServiceApp } from './route.js';

/** How many changes a page has. */
const [USUAL, MOST] = [500, 5_000];

const page = z
  .object({
    items: z.array(changeSchema),
    position: z.string().openapi({ description: 'The position for `after`, to continue.' }),
    more: z.boolean().openapi({ description: '`true` if there is a next page already.' }),
  })
  .openapi('Changes');

const listener = z
  .object({
    name: z.string(),
    behind: z.number().int().openapi({ description: 'The number of changes after the last one that it received.' }),
    lag_ms: z.number().openapi({ description: 'The age of the first of these.' }),
    seen_time: z.iso.datetime().openapi({ description: 'The time of its last request.' }),
  })
  .openapi('Listener');

/** A place in the feed. */
const place = z
  .string()
  .regex(new RegExp(`^now$|${POSITION.source}`), { error: `is not a position: give that of a change, or 'now'` })
  .optional();

const query = z.object({
  after: place.openapi({
    description: '`now`, or the position of the last handled change. Default: the beginning.',
    example: 'now',
  }),
  kinds: z
    .string()
    .regex(/^(transition|waits)(,(transition|waits))?$/, { error: 'is none of: transition, waits' })
    .optional()
    .openapi({ description: 'Only changes of these kinds, separated by commas.', example: 'transition' }),
  listener: plainText(100)
    .optional()
    .openapi({ description: 'Your name. Operators see your lag under it.', example: 'billing' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error: `is not a number from 1 to ${MOST}` })
    .refine((text) => Number(text) <= MOST, { error: `is not a number from 1 to ${MOST}` })
    .optional()
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: MOST,
      description: `The most changes of a page: ${USUAL} without it.`,
    }),
});

/** Serves the feed of changes, as pages and as a stream, and tells who reads it. A6 */
export function serveChanges(app: ServiceApp, parts: ServiceParts, seats: StreamSeats): void {
  const feed = parts.store?.feed;
  const streams = new FeedStreams(parts.settings, seats);
  const noted = feed && new NotedListeners(feed);

  const route = {
    method: 'get',
    path: '/api/changes',
    operationId: 'listChanges',
    tag: 'changes',
    summary: 'Read the feed of changes',
    description:
      'All transitions of the entities that you may read, in the order of the versions of each entity, without gaps. Also the ' +
      'long waits between transitions. With `Accept: text/event-stream`, changes are pushed as they happen. The id of each is its ' +
      'position, so that an `EventSource` resumes where it was. `410` if the feed no longer has the position; `begin` is then its ' +
      'present beginning.',
    request: {
      query: query.extend({ types: typesParameter(typesOf(parts.modules)) }),
      headers: z.object({ 'last-event-id': place }),
    },
    responses: {
      200: jsonOrStreamResponse('The next version.', page, 'Change'),
    },
    problems: [410],
  } as const;
  serve(app, route, async (context) => {
    const asked = askedOf(context, parts);
    const store = present(feed);
    const { req } = context;
    const name = nameOf(context, req.query('listener'));
    const after = req.header('last-event-id') ?? req.query('after');
    if (req.header('accept')?.includes('text/event-stream')) {
      const open = () => FeedReader.open(store, { ...asked, after });
      return streams.follow(context, open, ({ number }) => noted?.note(name, number));
    }
    const reader = await FeedReader.open(store, { ...asked, after });
    noted?.note(name, reader.number);
    return context.json(await reader.read(Number(req.query('limit') ?? USUAL)), 200);
  });

  const list = {
    method: 'get',
    path: '/api/changes/listeners',
    operationId: 'listListeners',
    tag: 'changes',
    summary: 'List the readers of the feed of changes, with their lag',
    description: 'The readers that have requested changes in the last month. Only for operators of all tenants.',
    responses: { 200: jsonResponse('By their names.', z.object({ items: z.array(listener) })) },
  } as const;
  serve(app, list, async (context) => {
    context.var.guard.list(LISTENERS);
    const found = await present(feed).listeners();
    const items = found.map(({ name, behind, lag_seconds, seen_time }) => ({
      ...{ name, behind },
      lag_ms: Math.max(0, Math.round(lag_seconds * 1_000)),
      seen_time: seen_time.toISOString(),
    }));
    return context.json({ items }, 200);
  });
}

function typesParameter(known: readonly string[]) {
  const one = `(${known.join('|')})`;
  return plainText(2_000)
    .optional()
    .openapi({
      pattern: `^${one}(,${one})*$`,
      description: `Only entities of these types, separated by commas: ${known.join(', ')}.`,
      ...(known.length > 0 && { example: known.slice(0, 2).join(',') }),
    });
}

/** Of what somebody may hear. @throws ProblemError 400, 403 */
function askedOf(context: ServiceContext, { modules }: ServiceParts): Asked {
  const { guard } = context.var;
  const given = context.req.query('types')?.split(',');
  const known = typesOf(modules);
  const unknown = given?.filter((type) => !known.includes(type)) ?? [];
  guard.list('changes');
  if (unknown.length > 0) {
    const message = `names no type: ${unknown.join(', ')}. The types are: ${known.join(', ')}`;
    throw ProblemError.invalid('invalid_parameters', [{ path: 'types', message }]);
  }
  for (const type of given ?? []) guard.list(type);
  const { types, tenant, everything } = guard.readable;
  const kinds = context.req.query('kinds')?.split(',');
  return { types: given ?? (everything ? undefined : types), kinds, tenant };
}

/** Listeners of a tenant have its name before theirs. Who gives no name is named by the subject. */
function nameOf(context: ServiceContext, given: string | undefined): string {
  const { tenant, subject } = context.var.guard.credentials.actor;
  const name = given ?? subject;
  return tenant === ALL_TENANTS ? name : `${tenant}/${name}`;
}

/** @throws ProblemError 503 */
function present(feed: FeedStore | undefined): FeedStore {
  if (feed) return feed;
  throw new ProblemError('no_store', 'This service is not connected to a store, so there is no feed of changes.');
}
