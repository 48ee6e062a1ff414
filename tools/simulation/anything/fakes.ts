import type { AnswerAddress } from '../../../src/definition/index.js';
import { fakeResource, type FakeResource } from '../../../src/simulation/index.js';
import { declareCalls, echoes } from './declare.js';
import type { WorldPlan } from './plan.js';
import { valueOf } from './value.js';

/** Makes what is outside in a drawn world. */
export function fakesOf(plan: WorldPlan): readonly FakeResource[] {
  const resource = declareCalls(plan);
  const fakes = Object.entries(plan.calls).map(([name, { gives, throws, answer, afterMs, withdraw }]) => {
    const perform = (_: unknown, { answer: say }: { answer?: (given: unknown, afterMs?: number) => void }) => {
      // A provider may throw anything.
      if (throws !== undefined) throw valueOf(throws) as Error;
      if (answer !== 'callback') return valueOf(gives);
      if (afterMs !== undefined) say?.({ output: valueOf(gives) }, afterMs);
      return undefined;
    };
    return [name, withdraw ? { ask: perform, withdraw: () => undefined } : perform];
  });
  return [
    fakeResource(echoes, {
      say: ({ about }) => ({ said: about }),
      inline: ({ about }) => ({ said: about }),
      // Several are answered at the same moment, and none at that of a deadline: which comes first, nothing says.
      ask: ({ about }, { answer }) => answer({ output: { said: about } }, 1_013 * (about.length % 2)),
      tell: ({ at, afterMs }, { answerAt }) => {
        answerAt(at as AnswerAddress, { output: {} }, afterMs);
        return {};
      },
    }),
    fakeResource(resource, Object.fromEntries(fakes) as never),
  ];
}
