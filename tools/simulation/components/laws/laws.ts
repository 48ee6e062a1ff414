import type { Tree } from '../../../../src/components/index.js';
import { comesUpWhole, deploysBeforeStart, hasOneOfEachName, keepsDeclaredNames } from './coming-up.js';
import { asksConditions } from './conditions.js';
import { getsOn, takesWhatIsDue } from './data.js';
import { endsBelow, endsOnce, startsWhole } from './ends.js';
import { reachesOnce } from './events.js';
import type { Law, Look } from './look.js';
import { pingsDown, readsNow, toldOnce } from './telling.js';

const LAWS: Readonly<Record<string, Law>> = {
  'W-1 ends once': endsOnce,
  'W-2 starts whole': startsWhole,
  'W-3 ends with all below': endsBelow,
  'W-4 tells an end once': toldOnce,
  'W-5 pings go down': pingsDown,
  'W-6 references are resolved when used': readsNow,
  'W-7 events reach each once': reachesOnce,
  'W-8 conditions are asked': asksConditions,
  'W1 is up when what it stands for is': comesUpWhole,
  'W1 deploys all before any starts': deploysBeforeStart,
  'one child of each name': hasOneOfEachName,
  'a declared name is kept': keepsDeclaredNames,
  'what is due is taken in order': takesWhatIsDue,
  'nothing hangs': getsOn,
};

/** Judges all steps of one tree. */
export class Judge {
  readonly #laws: readonly { readonly name: string; readonly judge: (look: Look) => string | undefined }[];

  constructor(tree: Tree) {
    this.#laws = Object.entries(LAWS).map(([name, law]) => ({ name, judge: law(tree) }));
  }

  /** The first law that a step breaks. */
  judge(look: Look): { readonly invariant: string; readonly problem: string } | undefined {
    for (const { name, judge } of this.#laws) {
      const problem = judge(look);
      if (problem !== undefined) return { invariant: name, problem };
    }
    return undefined;
  }
}
