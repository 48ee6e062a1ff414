import { z } from 'zod';
import { sqlName } from '../../activities/values/database-names.js';

const TAKEN = ['master', 'postgres', 'template0', 'template1'];

/** The name of a database in a logical server. */
export const databaseName = sqlName.refine((name) => !TAKEN.includes(name), 'this name is taken in every server');

/** The key of a database: the server and the name with which it was created, `orders.sales`. It stays when these change. */
export const databaseKey = z
  .string()
  .regex(/^[a-z]([a-z0-9-]{0,40}[a-z0-9])?\.[a-z_][a-z0-9_]{0,62}$/, 'write the server, a dot and the database')
  .refine((key) => !TAKEN.includes(partsOf(key).name), 'this name is taken in every server');

export function keyOf(server: string, name: string): string {
  return `${server}.${name}`;
}

/** The server and the name that a key begins with. */
export function partsOf(key: string): { readonly server: string; readonly name: string } {
  const [server = '', name = ''] = key.split('.');
  return { server, name };
}
