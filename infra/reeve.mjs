#!/usr/bin/env node
/*
 * The `reeve` command inside a clone. It says what to do when nothing was built yet.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';

// From Node 22 on, compiled code is kept for the next start.
module.enableCompileCache?.();

const main = new URL('../dist/src/cli/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error(`Nothing was built yet. Run 'npm start' or 'npm run build' first.`);
  process.exitCode = 2;
}
