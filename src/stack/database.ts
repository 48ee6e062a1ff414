import { homeFolder, readStack } from './home.js';

/**
 * The database of the store: `DATABASE_URL`, else that of the stack which runs on the data folder.
 * @throws when there is neither
 */
export async function findDatabase(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const configured = env['DATABASE_URL'];
  if (configured) return configured;
  const home = homeFolder(env);
  const stack = await readStack(home);
  if (stack) return stack.databaseUrl;
  throw new Error(
    `No stack runs on ${home}. Start one with 'npx reeve up', or set DATABASE_URL to a PostgreSQL database for the store.`,
  );
}
