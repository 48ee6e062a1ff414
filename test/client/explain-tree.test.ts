import { describe, expect, it } from 'vitest';
import type { Found } from '../../src/client/explain/crawl.js';
import type { Wait } from '../../src/kernel/explain/wait.js';
import { makeTree } from '../../src/client/explain/tree.js';

const found = (entity: string, ...waits: readonly Wait[]): readonly [string, Found] => {
  const seen = { state: 'S', health: 'normal', since: 1, settled: false, events: [], calls: [] } as const;
  return [entity, { kind: 'entity', entity, ...seen, waits }];
};

/** An entity whose action waits for others. */
function waiting(entity: string, ...on: readonly string[]): readonly [string, Found] {
  const awaits = on.map((each) => ({ kind: 'view', on: each, until: 9 }) as const);
  return found(entity, { kind: 'action', action: 'a', automatic: false, since: 1, attempt: 1, awaits });
}

/** An entity that another one has reserved. */
function reserved(entity: string, by: string, ...more: readonly Wait[]): readonly [string, Found] {
  return found(entity, { kind: 'reserved', by, operation: 'op', hold: 'action', until: 9 }, ...more);
}

describe('the tree of an explanation (S5.4)', () => {
  it('holds each entity once, and a reference elsewhere (S5.4)', () => {
    const read = new Map([waiting('T/a', 'T/b', 'T/c'), waiting('T/b', 'T/d'), waiting('T/c', 'T/d'), waiting('T/d')]);
    expect(makeTree(['T/a', 'T/b', 'T/c'], read)).toMatchObject([
      {
        entity: 'T/a',
        below: [
          { entity: 'T/b', below: [{ kind: 'entity', entity: 'T/d', below: [] }] },
          { entity: 'T/c', below: [{ kind: 'elsewhere', entity: 'T/d', cycle: false }] },
        ],
      },
    ]);
  });

  it('cuts a circle of waiting, and says that it is one (S5.4)', () => {
    const read = new Map([waiting('T/a', 'T/b'), waiting('T/b', 'T/a')]);
    expect(makeTree(['T/a'], read)).toMatchObject([
      { entity: 'T/a', below: [{ entity: 'T/b', below: [{ kind: 'elsewhere', entity: 'T/a', cycle: true }] }] },
    ]);
  });

  it('leads to the holder of a reservation, but not from what the holder has set off (S5.4)', () => {
    const attempt = { kind: 'attempt', action: 'a', at: 1, attempt: 1 } as const;
    expect(makeTree(['T/a'], new Map([reserved('T/a', 'T/b'), waiting('T/b')]))).toMatchObject([
      { below: [{ entity: 'T/b' }] },
    ]);
    const acting = new Map([waiting('T/b', 'T/a'), reserved('T/a', 'T/b', attempt)]);
    expect(makeTree(['T/b'], acting)).toMatchObject([{ below: [{ entity: 'T/a', below: [] }] }]);
  });

  it('says what was not looked at (S5.4)', () => {
    expect(makeTree(['T/a'], new Map([waiting('T/a', 'T/b')]))).toMatchObject([
      { below: [{ kind: 'unread', entity: 'T/b', reason: 'limit' }] },
    ]);
  });
});
