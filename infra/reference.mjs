/*
 * `npm run docs:reference`: writes docs/reference from the code. `--check` compares instead, and names what differs.
 */
import { spawnSync } from 'node:child_process';

// Only what has changed is compiled: a second. The declaration files have to be right, too, which no check of types says.
const built = spawnSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
await import('../dist/tools/reference.js');
