import { waitedFor } from '../../kernel/index.js';
import { unread, type Found } from './crawl.js';
import type { ExplainedNode } from './explanation.js';

/** Puts the tree together: each entity stands in it once, with all that it waits for below it. */
export function makeTree(roots: readonly string[], found: ReadonlyMap<string, Found>): readonly ExplainedNode[] {
  const shown = new Set<string>();
  // An entity that stands below another one is not shown again beside it.
  return roots.flatMap((root) => (shown.has(root) ? [] : [makeNode(root, [])]));

  function makeNode(entity: string, above: readonly string[]): ExplainedNode {
    if (shown.has(entity)) return { kind: 'elsewhere', entity, cycle: above.includes(entity) };
    shown.add(entity);
    const node = found.get(entity) ?? unread(entity, 'limit');
    if (node.kind === 'unread') return node;
    const path = [...above, entity];
    return { ...node, below: waitedFor(node.waits).map((each) => makeNode(each, path)) };
  }
}
