import { inject } from 'vitest';

/** The services that all test files of a run share. */
export interface RunServices {
  /** The address of a PostgreSQL server as its superuser, and the database that stores are copied from. */
  readonly postgres: { readonly url: string; readonly template: string };
  readonly temporal: { readonly address: string };
}

/** A service that all test files of the run share. It starts when the first one asks for it. */
export async function runService<Name extends keyof RunServices>(name: Name): Promise<RunServices[Name]> {
  const response = await fetch(`${inject('runServices')}/${name}`);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${name} does not start for this run: ${answer}`);
  return JSON.parse(answer) as RunServices[Name];
}
