import { resolve } from 'node:path';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { startHost } from './host.js';

/*
 * The resource host as a process. It runs until it gets SIGTERM or SIGINT, and stops all instances before it ends.
 */
const host = await startHost(resolve(dataDirectoryFrom()), (line) => process.stderr.write(`${line}\n`));

let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  void host.stop().then(() => process.exit(0));
};
process.on('SIGTERM', end).on('SIGINT', end);
