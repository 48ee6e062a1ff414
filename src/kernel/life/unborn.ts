/*
 * All that comes to a run whose entity does not come to be. S4.1
 *
 * unborn.1. Who has raised an event on it is told that nobody is there, as if it had found nobody: its message has arrived, so
 *     nothing else would tell it.
 * unborn.2. What an earlier life has known is reported as that life would.
 */
import { parseEntityMessage } from '../../protocol/parse.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { lastWord } from '../engagements/repeat.js';
import { absent } from '../successors/receive.js';
import type { EntityHandlers } from '../run/handlers.js';
import type { EntityRunner } from './runner.js';

type Raise = Extract<EntityMessage, { kind: 'raise' }>;

/** @param inherits the last life of the key, where it is known */
export function unbornHandlers(runner: EntityRunner, inherits: Snapshot | undefined): EntityHandlers {
  return {
    snapshot: () => runner.live.snapshot,
    transitionsAfter: () => [],
    waits: undefined,
    // A caller asks again when the run has ended, and finds nobody.
    refuse: () => ({ kind: 'closing' }),
    raise: () => Promise.resolve([]),
    tells: () => false,
    outcome: () => Promise.resolve(undefined),
    message: (message, signal = 'message') => {
      const problem = parseEntityMessage(message);
      if (problem) runner.hearing.drop(signal, problem);
      else if ((message as EntityMessage).kind === 'raise') tellAbsent(runner, message as Raise, inherits);
    },
    signal: (name) => runner.hearing.drop(name, 'The entity was not created.'),
    dropSignal: (name, problem) => runner.hearing.drop(name, problem),
  };
}

function tellAbsent(runner: EntityRunner, { request }: Raise, inherits: Snapshot | undefined): void {
  const { from } = request;
  const report = inherits && lastWord(inherits, request);
  if (!report) runner.hearing.reject(request, absent(runner.live.snapshot, request.event).rejection);
  else if (from) runner.live.post([{ kind: 'send', to: { type: from.type, key: from.key }, message: report }]);
}
