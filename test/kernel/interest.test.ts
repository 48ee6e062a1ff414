import { describe, expect, it } from 'vitest';
import { all, any, link, links } from '../../src/definition/index.js';
import { interestIn } from '../../src/kernel/successors/interest.js';
import { Box, Room } from '../entities/box.js';
import { Batch, Job } from '../entities/job.js';

const box = { type: 'Box', key: 'a' };
const job = { type: 'Job', key: 'a' };

describe('what an entity asks of a successor (S4.3, S4.4)', () => {
  it('is to judge the reports of those whom a pattern means, and of no others (S4.2)', () => {
    expect(interestIn(Room, box)).toStrictEqual({ judges: true });
    expect(interestIn(Room, job)).toStrictEqual({ judges: false });
    const keyed = { ...Box, subscriptions: { heard: { when: any({ key: 'b' }), raise: 'look' } } };
    expect(interestIn(keyed, box).judges).toBe(false);
    expect(interestIn(keyed, { ...box, key: 'b' }).judges).toBe(true);
  });

  it('lasts for life where a subscription counts them for life, and it can mean them', () => {
    const finished = { when: all({ of: Job, is: 'settled' }), raise: 'finished', among: 'life' as const };
    const lifelong = { ...Batch, subscriptions: { finished } };
    expect(interestIn(lifelong, job)).toStrictEqual({ judges: true, lasting: true });
    expect(interestIn(lifelong, box)).toStrictEqual({ judges: false });
    expect(interestIn(Batch, job)).toStrictEqual({ judges: true });
  });

  it('lasts for life where a link leads to their type', () => {
    expect(interestIn({ ...Job, links: { place: link(Box) } }, box)).toStrictEqual({ judges: false, lasting: true });
    expect(interestIn({ ...Job, links: { places: links(Box) } }, job)).toStrictEqual({ judges: false });
  });
});
