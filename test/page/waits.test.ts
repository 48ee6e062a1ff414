import { describe, expect, it } from 'vitest';
import type { ExplainedEntity, ExplainedNode, Explanation } from '../../src/client/explain/explanation.js';
import type { Wait } from '../../src/kernel/index.js';
import { chainOf, type Chain, type Link } from '../../src/page/views/waits/wait-chain.js';
import { layOut, type Layout } from '../../src/page/views/waits/layout.js';
import { sentencesOf } from '../../src/page/views/waits/sentences.js';

function entity(id: string, waits: readonly Wait[] = [], below: readonly ExplainedNode[] = [], more: object = {}) {
  const seen = { kind: 'entity', state: 'Creating', health: 'normal', since: 0, settled: false } as const;
  return { ...seen, entity: id, waits, below, events: [], calls: [], ...more } satisfies ExplainedEntity;
}

const explained = (...entities: readonly ExplainedNode[]): Explanation => ({ at: 0, entities, starved: [], stuck: [] });

/** A subscription that waits for a pattern, which these successors keep from holding. */
function until(pattern: string, successors: readonly string[], event = 'ready'): Wait {
  const standing = successors.map((each) => ({ entity: each, is: 'pending' as const }));
  const unmet = [{ kind: 'pattern' as const, pattern, successors: standing }];
  return { kind: 'subscription', subscription: event, event, pattern, unmet, used: false };
}

const raising = (on: string, event: string): Wait => ({
  ...{ kind: 'action', action: 'act', automatic: true, since: 0, attempt: 1 },
  awaits: [{ kind: 'event', on, event, until: 9 }],
});

/** Three that wait for each other, the last one for the second. */
const circle = explained(
  entity(
    'A/1',
    [until('all B in Ready', ['B/1'])],
    [
      entity(
        'B/1',
        [until('all C in Ready', ['C/1'])],
        [entity('C/1', [raising('B/1', 'stop')], [{ kind: 'elsewhere', entity: 'B/1', cycle: true }])],
      ),
    ],
  ),
);
const wide = explained(
  entity(
    'A/1',
    [until('all B in Ready', many(30))],
    many(30).map((id) => entity(id, [], [], id === 'B/29' ? { health: 'error' } : {})),
  ),
);
/** Each waits for three, at four levels. */
const deep = explained(branch('A/0', 4));

function many(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `B/${index}`);
}

function branch(id: string, levels: number): ExplainedEntity {
  if (levels === 0) return entity(id);
  const below = [1, 2, 3].map((each) => branch(`${id}${each}`, levels - 1));
  return entity(
    id,
    [
      until(
        'all A in Ready',
        below.map((each) => each.entity),
      ),
    ],
    below,
  );
}

describe('the chain of waits (S5.4, S6.3)', () => {
  it('goes from who waits to who is waited for, with what is wanted, down to calls and answers from outside', () => {
    const calls = [{ call: 'names.publish', state: 'running', attempt: 1, taskQueue: 'q', since: 0 }];
    const waits: readonly Wait[] = [
      until('all B in Ready', ['B/1', 'B/2']),
      until('any B failed', ['B/1', 'B/2'], 'failed'),
      until('at least 1 C in Ready', []),
      { kind: 'answer', event: 'approve', since: 0 },
      { kind: 'deployment', deployment: 'Watch', id: 'run/x', phase: 'starting', since: 0 },
      { kind: 'lost', successor: 'D/1' },
    ];
    const told = explained(
      entity('A/1', waits, [
        entity('B/1', [], [], { calls }),
        { kind: 'unread', entity: 'B/2', reason: 'no_answer', calls: [] },
      ]),
    );
    // Anything that would lead it to an error state is not what it waits for.
    expect(sentencesOf(chainOf(told, (_, event) => event === 'failed'))).toEqual([
      'A/1 waits for B/1 (Creating): until all B in Ready.',
      'B/1 waits for names.publish (call running): for its answer.',
      'A/1 waits for B/2 (no worker answers for it): until all B in Ready.',
      'A/1 waits for No such successor (not yet): until at least 1 C in Ready.',
      'A/1 waits for approve (from outside): for its answer.',
      'A/1 waits for Watch (deployment starting): until it is up.',
      'A/1 waits for D/1 (lost): it ended without a report.',
    ]);
  });

  it('says who holds an entity, and who waits to reserve it, each drawn once', () => {
    const reserver: Wait = { kind: 'reserver', by: 'Clerk/2', operation: 'op', until: 9 };
    const reserved: Wait = { kind: 'reserved', by: 'Clerk/1', operation: 'op', hold: 'action', until: 9 };
    const told = explained(
      entity(
        'A/1',
        [until('all B in Ready', ['B/1', 'B/2'])],
        [entity('B/1', [raising('C/1', 'go'), reserved, reserver], [entity('C/1')]), entity('B/2', [reserver])],
      ),
    );
    expect(sentencesOf(chainOf(told))).toEqual([
      'A/1 waits for B/1 (Creating): until all B in Ready.',
      'B/1 waits for C/1 (Creating): until go has settled.',
      'Clerk/1 holds B/1 reserved.',
      'Clerk/2 waits to reserve B/1.',
      'A/1 waits for B/2 (Creating): until all B in Ready.',
      'Clerk/2 waits for B/2 to reserve it.',
    ]);
  });

  it('shows a circle as one', () => {
    const chain = chainOf(circle);
    expect(chain.across).toEqual([{ from: 'C/1', to: 'B/1', why: 'until stop has settled', circular: true }]);
    expect([...chain.circle]).toEqual(['C/1']);
    expect(sentencesOf(chain).at(-1)).toBe('C/1 waits for B/1 until stop has settled: a deadlock.');
    for (const room of [330, 1_200]) {
      const red = layOut(chain, room).lines.filter(({ circular }) => circular);
      expect(red.map(({ across }) => across?.to)).toEqual([undefined, 'B/1']);
    }
  });

  it('draws few of many: the nearest, those in trouble first, and says how many there are besides', () => {
    const [root] = chainOf(wide).roots;
    expect(root!.next).toHaveLength(9);
    expect(root!.next.map(({ title }) => title).slice(-2)).toEqual(['B/29', 'and 22 more']);
    const drawn = linksIn(chainOf(deep).roots).filter(({ isEntity }) => isEntity);
    expect(drawn).toHaveLength(20);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(20);
  });

  it.each([
    ['circle', circle],
    ['wide', wide],
    ['deep', deep],
  ])('has room for all of it, whatever the width: %s', (_, told) => {
    const chain = chainOf(told);
    for (const room of [320, 800, 1_200, 1_600]) {
      const layout = layOut(chain, room);
      expect(layout.boxes).toHaveLength(linksIn(chain.roots).length);
      expect([room, collisionsIn(layout)]).toEqual([room, []]);
      expect(layout.width).toBeLessThanOrEqual(room);
    }
  });
});

function linksIn(links: Chain['roots']): readonly Link[] {
  return links.flatMap((each) => [each, ...linksIn(each.next)]);
}

/** The boxes that lie over each other, or beyond the edge. */
function collisionsIn({ boxes, width, height }: Layout): readonly string[] {
  const beyond = boxes.filter((box) => box.x + box.width > width || box.y < 0 || box.y + box.height > height);
  const over = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.link.title} over ${other.link.title}`),
  );
  return [...beyond.map(({ link }) => `${link.title} beyond`), ...over];
}
