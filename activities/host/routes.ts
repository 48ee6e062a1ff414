import { z } from 'zod';
import { resourceName } from '../resource-name.js';
import type { Aliases } from './aliases.js';
import { HostError } from './host-error.js';
import type { Instances } from './instances.js';
import type { Names } from './names.js';

export interface HostResources {
  readonly instances: Instances;
  readonly aliases: Aliases;
  readonly names: Names;
}

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'use lower-case letters, digits and underscores');
const address = z.object({ host: z.string(), port: z.number().int().min(1).max(65_535) });
const pointed = z.object({ target: address.optional() });
const published = z.object({ address: z.ipv4(), port: z.number().int().min(1).max(65_535) });
const administered = z.object({ user: identifier });

/** Carries out one request. All of them can be repeated. @throws HostError, ZodError */
export async function route(
  { instances, aliases, names }: HostResources,
  method: string,
  path: string,
  body: unknown,
): Promise<object> {
  const [kind, given, part, inner] = path.split('/').slice(1).map(decodeURIComponent);
  const name = resourceName.parse(given);
  const request = `${method} ${[kind, part].filter(Boolean).join('/')}`;
  switch (request) {
    case 'PUT instances':
      return instances.put(name);
    case 'GET instances':
      return instances.locate(name);
    case 'DELETE instances':
      await instances.remove(name);
      return {};
    case 'GET instances/credentials':
      return instances.credentials(name);
    case 'PUT instances/databases':
      await instances.putDatabase(name, identifier.parse(inner));
      return {};
    case 'PUT instances/administrators': {
      await instances.putAdministrator(name, identifier.parse(inner), administered.parse(body).user);
      return {};
    }
    case 'DELETE instances/databases':
      await instances.removeDatabase(name, identifier.parse(inner), administered.parse(body).user);
      return {};
    case 'PUT aliases': {
      const { target } = pointed.parse(body ?? {});
      return target ? aliases.point(name, target) : aliases.reserve(name);
    }
    case 'DELETE aliases':
      await aliases.remove(name);
      return {};
    case 'PUT names':
      return names.put(name, published.parse(body));
    case 'DELETE names':
      await names.remove(name);
      return {};
    default:
      throw new HostError(404, 'no_such_route', `The resource host has nothing at ${method} ${path}.`);
  }
}
