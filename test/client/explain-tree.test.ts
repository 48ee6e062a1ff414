import { describe, expect, it } from 'vitest';
import type { Found } from '../../src/client/explain/crawl.js';
import { makeTree } from '../../src/client/explain/tree.js';

/** An entity whose action waits for others. */
function waiting(entity: string, ...on: readonly string[]): readonly [string, Found] {
  const awaits = on.map((each) => ({ kind: 'view', on: each, until: 9 }) as const);
  const wait = { kind: 'action', action: 'a', automatic: false, since: 1, attempt: 1, awaits } as const;
  const seen = { state: 'S', health: 'normal', since: 1, settled: false, events: [], calls: [] } as const;
  return [entity, { kind: 'entity', entity, ...seen, waits: [wait] }];
}

describe('the tree of an explanation (S5.4)', () => {
  it('holds each entity once, and a reference elsewhere (S5.4)', () => {
    const found = new Map([waiting('T/a', 'T/b', 'T/c'), waiting('T/b', 'T/d'), waiting('T/c', 'T/d'), waiting('T/d')]);
    expect(makeTree(['T/a', 'T/b', 'T/c'], found)).toMatchObject([
      {
        entity: 'T/a',
        below: [
          { entity: 'T/b', below: [{ kind: 'entity', entity: 'T/d', below: [] }] },
          { entity: 'T/c', below: [{ kind: 'elsewhere', entity: 'T/d', circle: false }] },
        ],
      },
    ]);
  });

  it('cuts a circle of waiting, and says that it is one (S5.4)', () => {
    const found = new Map([waiting('T/a', 'T/b'), waiting('T/b', 'T/a')]);
    expect(makeTree(['T/a'], found)).toMatchObject([
      { entity: 'T/a', below: [{ entity: 'T/b', below: [{ kind: 'elsewhere', entity: 'T/a', circle: true }] }] },
    ]);
  });

  it('says what was not looked at (S5.4)', () => {
    expect(makeTree(['T/a'], new Map([waiting('T/a', 'T/b')]))).toMatchObject([
      { below: [{ kind: 'unread', entity: 'T/b', reason: 'limit' }] },
    ]);
  });
});
