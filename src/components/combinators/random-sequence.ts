import { z } from 'zod';
import { holder } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { JavaRandom } from './java-random.js';
import { firstEndless } from '../tree/outlook.js';

const attributes = z.object({ seed: z.int().default(6387315) });

/** Its children run one after the other, in an order that depends on the seed alone: that of `java.util.Random`. W1 */
export const RANDOM_SEQUENCE = defineKind({
  name: 'RandomSequence',
  attributes,
  takesChildren: true,
  start(self) {
    if (self.declared.length === 0) return self.end('abnormal', 'it is empty');
    const random = new JavaRandom(self.attribute('seed'));
    const left = self.declared.map((_, index) => index);
    const order: number[] = [];
    while (left.length > 0) order.push(...left.splice(random.nextInt(left.length), 1));
    self.keep(order);
    self.start(...self.declared[order[0]!]!);
  },
  childEnded(self, child, end) {
    if (end.type !== 'normal') return self.endAs(end);
    const [at, ...left] = self.local<number[]>()!;
    if (child.name !== self.declared[at!]![0]) return;
    if (left.length === 0) return self.endAs(end);
    self.keep(left);
    self.start(...self.declared[left[0]!]!);
  },
  wrong(_attributes, children) {
    if (children.length > 0) return undefined;
    return { code: 'empty', message: 'it has no children. Give it one at least' };
  },
  waitsForEnds: true,
  endless: ({ children }) => firstEndless(children),
  doing: (self) => `has ${self.local<number[]>()?.length ?? 0} of ${self.declared.length} left`,
});

export const randomSequence = holder('RandomSequence', attributes);
