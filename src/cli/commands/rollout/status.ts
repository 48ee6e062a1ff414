import { readStatus } from '../../../rollout/index.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { statusLines } from './words.js';
import { withRouting } from './with-routing.js';

/** Shows how the builds stand. Exit code 1 when something runs on a build that no worker serves. */
export async function showStatus({ json }: { readonly json?: boolean }): Promise<number> {
  return withRouting(async ({ client, taskQueue, routing }) => {
    const status = await readStatus(client, routing, taskQueue);
    if (json) printJson(status);
    else console.log(statusLines(status).join('\n'));
    const isStranded = status.builds.some(({ running, served }) => running > 0 && !served);
    return isStranded ? EXIT.failed : EXIT.done;
  });
}
