/*
 * `npm run docs:reference`: writes docs/reference from the code. `--check` compares instead, and names what differs.
 */
import { spawnSync } from 'node:child_process';

// Only what has changed is compiled: a second. Mistakes of types are for another check.
spawnSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
await import('../dist/tools/reference.js');
