/*
 * The source's advice to authors of components: test each inside a sequence, with `sfShouldTerminate` set. It ends in bounded time, or
 * the sequence hangs. W1
 */
import { asDeclared, toMilliseconds, type Duration } from '../../definition/duration.js';
import { sequence } from '../combinators/sequence.js';
import { extend, type Description } from '../description/description.js';
import { nextDue } from '../running/reading.js';
import { drawTree } from '../show/draw.js';
import { explainTree } from '../show/explain.js';
import type { End } from '../tree/tree.js';
import { TestTree, type TestTreeOptions } from './test-tree.js';

/** Holds what a test gives to the component that has to end. */
export interface EndingOptions extends Pick<TestTreeOptions, 'components' | 'answers' | 'answer'> {
  /** Sets how long it may take, in a time that passes only while nothing else happens. An hour by default. */
  readonly within?: Duration;
}

/**
 * Runs a component inside a sequence, in memory, and gives the record of its end.
 * @throws DeclarationError with every mistake of the description
 * @throws Error that shows what it waits for, when it does not end in time
 */
export async function provesItEnds(description: Description, options: EndingOptions = {}): Promise<End> {
  const { within = '1h', ...others } = options;
  const ending = extend(description, { attributes: { sfShouldTerminate: true } });
  const tree = new TestTree(sequence({ component: ending }), { ...others, name: 'sequence' });
  await tree.run(within);
  if (tree.end) return tree.end;
  const isStuck = nextDue(tree.tree) === undefined;
  const why = isStuck ? 'waits forever' : `has not ended within ${asDeclared(toMilliseconds(within))}`;
  const picture = drawTree(explainTree(tree.kinds, tree.tree, tree.tree.now), tree.tree.now);
  throw new Error(`The component ${why}. Inside a sequence, nothing after it would run:\n${picture}`);
}
