import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/client/pace.js';

describe('how fast a distributed operation goes (I1)', () => {
  it('is told to who looks once from all of its time', () => {
    expect(new Pace().note(1_000, 0.1)).toBeCloseTo(0.0001);
  });

  it('is told to who looks again from the second half of its time, since it starts slowly', () => {
    const pace = new Pace();
    // It stands for 4 s, and then does a hundredth in 100 ms.
    const doneAt = (ms: number) => Math.max(0, (ms - 4_000) / 10_000);
    let rate = 0;
    for (let ms = 500; doneAt(ms) <= 0.4; ms += 250) rate = pace.note(ms, doneAt(ms));
    expect(rate).toBeCloseTo(0.0001, 5);
  });

  it('is that of all of its time where work was taken away lately', () => {
    const pace = new Pace();
    pace.note(1_000, 0.5);
    expect(pace.note(2_000, 0.4)).toBeCloseTo(0.0002);
  });

  it('is known after thousands of looks, of which few are kept', () => {
    const pace = new Pace();
    let rate = 0;
    for (let look = 1; look <= 5_000; look++) rate = pace.note(look * 100, look / 10_000);
    expect(rate).toBeCloseTo(1 / 1_000_000);
  });
});
