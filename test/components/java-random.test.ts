import { describe, expect, it } from 'vitest';
import { JavaRandom } from '../../src/components/combinators/java-random.js';

/*
 * The output of a real Java, with this program:
 *
 *   for (long seed : seeds) for (int n : sizes) {
 *     Random random = new Random(seed);
 *     List<Integer> left = new ArrayList<>();
 *     for (int i = 0; i < n; i++) left.add(i);
 *     for (int i = 0; i < Math.min(n, 16); i++) print(left.remove(random.nextInt(left.size())));
 *   }
 */
const ORDERS: readonly (readonly [seed: number, size: number, order: readonly number[]])[] = [
  [6387315, 1, [0]],
  [6387315, 2, [0, 1]],
  [6387315, 3, [0, 1, 2]],
  [6387315, 9, [0, 2, 8, 3, 6, 7, 5, 1, 4]],
  [6387315, 16, [0, 13, 7, 8, 9, 11, 10, 6, 1, 12, 5, 14, 4, 3, 2, 15]],
  [6387315, 1000, [60, 24, 782, 950, 128, 494, 720, 338, 462, 576, 15, 31, 49, 983, 675, 184]],
  [0, 1, [0]],
  [0, 2, [1, 0]],
  [0, 3, [0, 2, 1]],
  [0, 9, [6, 7, 4, 8, 0, 2, 5, 1, 3]],
  [0, 16, [11, 14, 12, 8, 15, 2, 1, 5, 7, 4, 13, 6, 3, 9, 10, 0]],
  [0, 1000, [360, 241, 195, 552, 879, 133, 630, 48, 259, 29, 170, 253, 289, 974, 545, 792]],
  [1, 9, [6, 0, 2, 5, 8, 1, 7, 4, 3]],
  [1, 16, [11, 14, 1, 10, 3, 4, 7, 2, 15, 13, 5, 9, 12, 0, 8, 6]],
  [-7, 3, [1, 2, 0]],
  [-7, 9, [4, 8, 5, 3, 6, 0, 1, 2, 7]],
  [-7, 1000, [662, 186, 676, 605, 30, 224, 215, 604, 207, 995, 582, 655, 135, 656, 832, 594]],
  [123456789012, 9, [6, 0, 3, 8, 7, 1, 4, 5, 2]],
  [123456789012, 16, [0, 13, 3, 10, 8, 14, 5, 9, 6, 2, 12, 11, 4, 1, 7, 15]],
  [123456789012, 1000, [462, 637, 208, 16, 308, 823, 120, 357, 833, 541, 810, 196, 768, 940, 453, 642]],
];

describe('the numbers of java.util.Random (W1)', () => {
  it.each(ORDERS)('with the seed %i give the order of %i as in Java', (seed, size, order) => {
    const random = new JavaRandom(seed);
    const left = Array.from({ length: size }, (_, index) => index);
    const drawn = order.map(() => left.splice(random.nextInt(left.length), 1)[0]);
    expect(drawn).toEqual(order);
  });

  it('are drawn again where Java draws again', () => {
    // new Random(6387315L).nextInt(1610612737), twelve times: a quarter of what is drawn is too high.
    const random = new JavaRandom(6387315);
    expect(Array.from({ length: 12 }, () => random.nextInt(1_610_612_737))).toEqual([
      54651060, 348308367, 368602100, 1216855399, 1033551318, 1007627225, 268276938, 1189767422, 88887165, 12853073,
      1470221110, 194110312,
    ]);
  });
});
