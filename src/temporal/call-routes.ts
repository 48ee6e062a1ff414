import type { Call } from '../definition/resource.js';

/**
 * The task queues of calls that other workers make than those of their entities: by resource (`mail`) or by call (`mail.send`, which
 * goes before that of its resource). A5
 */
export type CallRoutes = Readonly<Record<string, string>>;

/** The task queue of a call; none where it is that of the entity. */
export function routeOf(
  routes: CallRoutes,
  { activity, resource }: Pick<Call, 'activity' | 'resource'>,
): string | undefined {
  for (const name of [activity, resource]) if (Object.hasOwn(routes, name)) return routes[name];
  return undefined;
}
