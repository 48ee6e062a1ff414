import type { Command } from 'commander';
import { callbackMeant, titleOf } from '../../api/callbacks.js';
import { withApi } from '../../api/with-api.js';
import { parseJson, parseTarget } from '../../arguments.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { meantBy } from '../../key-by-parts.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';

interface AnswerOptions {
  readonly output?: string;
  readonly error?: string;
  readonly message?: string;
  readonly json?: boolean;
}

/** `reeve callbacks answer Order/o approvals.ask --output '{"by":"ann"}'` A1 */
export function defineCallbacksAnswer(callbacks: Command): void {
  callbacks
    .command('answer')
    .description('answer a pending callback: complete the call that waits for it, or raise its event')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .argument(
      '[callback]',
      'its id, the call that waits for it, or the event that it raises; not needed if only one is pending',
    )
    .option('--output <json>', 'the output of the call; if the callback raises an event, the parameters of the event')
    .option('--error <code>', 'a failure with this code, instead of an output')
    .option('--message <text>', 'what went wrong, with --error')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        [`reeve callbacks answer LogicalServer/orders approvals.ask --output '{"by":"ann"}'`, 'the first answer wins'],
        ['reeve callbacks answer LogicalServer/orders --error refused --message "not now"', 'a failure'],
      ),
    )
    .action(run(answer));
}

async function answer(target: string, callback: string | undefined, options: AnswerOptions): Promise<number> {
  const body = bodyOf(options);
  return withApi('workflows', async (api) => {
    const awaited = await callbackMeant(api, await meantBy(api, parseTarget(target)), callback);
    if (awaited.url === undefined)
      throw new UsageError('The address of the service is not known. Set REEVE_CALLBACK_URL.');
    // The token is the last part of the address, which may be reached by another name from here.
    const token = awaited.url.slice(awaited.url.lastIndexOf('/') + 1);
    const { body: said } = await api.ask('POST', `/api/callbacks/${token}`, { json: body });
    if (options.json) printJson(said);
    else console.log(`${titleOf(awaited)} is answered`);
    return EXIT.done;
  });
}

/** @throws UsageError */
function bodyOf({ output, error: code, message = '' }: AnswerOptions): object {
  if ((output === undefined) === (code === undefined)) throw new UsageError('Give either --output or --error.');
  return code === undefined ? { output: parseJson('--output', output) } : { error: { code, message } };
}
