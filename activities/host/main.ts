import { resolve } from 'node:path';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { messageOf } from '../../src/definition/thrown.js';
import { startHost } from './host.js';

/*
 * The resource host as a process. It runs until it gets SIGTERM or SIGINT, and stops all instances before it ends.
 */
let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  // All that has started so far is stopped too. Instances are no children of this process, and would go on without it.
  void starting
    .then((host) => host.stop())
    .then(
      () => process.exit(0),
      (thrown: unknown) => {
        process.stderr.write(`${messageOf(thrown)}\n`);
        process.exit(1);
      },
    );
};
process.on('SIGTERM', end).on('SIGINT', end);
const starting = startHost(resolve(dataDirectoryFrom()), (line) => process.stderr.write(`${line}\n`));
await starting;
