#!/usr/bin/env node
/*
 * The `reeve` command inside a clone: says what to do when nothing has been built yet.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';

// From Node 22 on, what was compiled once is kept.
module.enableCompileCache?.();

const main = new URL('../dist/src/cli/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error(`Nothing has been built yet. Run 'npm start', or 'npm run build', first.`);
  process.exitCode = 2;
}
