import { z } from 'zod';
import { holder } from '../description/written.js';
import { defineKind, type Self } from '../tree/kind.js';
import type { End } from '../tree/tree.js';
import { launchNext } from './launch-next.js';
import { firstEndless, stays } from '../tree/outlook.js';

const attributes = z.object({
  /** Tells whether each child is deployed and started by itself. By default they are created, deployed and started in step. */
  asynchCreateChild: z.boolean().default(false),
  /** Tells whether it ends when it has no children. */
  terminateOnEmptyDeploy: z.boolean().default(false),
  /** Tells whether the abnormal end of a child ends it and the others. */
  terminateOnAbnormalChildTermination: z.boolean().default(true),
  /** Tells whether a child that does not come up ends it: it always does when they start in step. */
  terminateOnAbnormalChildDeploy: z.boolean().default(true),
});

/** Its children run at the same time. It ends when all of them have ended. W1 */
export const PARALLEL = defineKind({
  name: 'Parallel',
  attributes,
  takesChildren: true,
  defaults: { sfShouldTerminate: true },
  start(self) {
    if (self.declared.length === 0) {
      if (self.attribute('terminateOnEmptyDeploy')) self.complete(self.record('normal', 'it is empty'));
      return;
    }
    if (self.attribute('asynchCreateChild')) {
      for (const [name, template] of self.declared) self.start(name, template);
      return;
    }
    const created = self.declared.map(([name, template]) => self.create(name, template));
    for (const child of created) self.deploy(child);
    launchNext(self);
  },
  childUp(self) {
    if (!self.attribute('asynchCreateChild')) launchNext(self);
  },
  childEnded(self, child, end) {
    if (end.type !== 'normal') {
      const inStep = !self.attribute('asynchCreateChild');
      const fatal = child.undeployed
        ? inStep || self.attribute('terminateOnAbnormalChildDeploy')
        : self.attribute('terminateOnAbnormalChildTermination');
      if (fatal) return self.endAs(end);
    }
    goOn(self, end);
  },
  childLeft: (self) => goOn(self),
  waitsForEnds: true,
  endless(outlook) {
    const stuck = firstEndless(outlook.children);
    if (stuck) return stuck;
    if (outlook.children.length > 0) return stays(outlook);
    return outlook.value('terminateOnEmptyDeploy') === false ? 'it has no children that could end' : undefined;
  },
  doing(self) {
    const left = self.children.filter(({ phase }) => phase !== 'ended').length;
    return `waits for ${left} of ${self.children.length}`;
  },
});

function goOn(self: Self<typeof attributes.shape>, last?: End): void {
  if (!self.attribute('asynchCreateChild')) launchNext(self);
  if (!self.children.every(({ told }) => told)) return;
  self.finishAs(last?.type === 'normal' ? last : self.record('normal', 'all of it is done'));
}

export const parallel = holder('Parallel', attributes);
