import type { Logger } from 'pino';
import { UnfinishedWorkError } from '../temporal/unfinished-work.js';

/** Ends the process when a worker has left work behind: nothing else ends that, and to close what it uses may take as long. */
export function exitWhereUnfinished(log: Logger): (thrown: unknown) => never {
  return (thrown) => {
    if (!(thrown instanceof UnfinishedWorkError)) throw thrown;
    log.error(thrown.message);
    process.exit(1);
  };
}
