import assert from 'node:assert/strict';
import { TestTree } from 'reeve/components';
import { Move } from './components.js';

/** The file is in use twice, and its removal takes five seconds. */
export async function testMove(): Promise<void> {
  const inUse = { error: { code: 'in_use', message: 'Somebody uses it.' } };
  const tree = new TestTree(Move({ from: 'report', to: 'archive' }), {
    components: [Move],
    answers: {
      'files.copy': (_, count) => (count < 3 ? inUse : { output: {} }),
      'files.remove': () => ({ after: 5_000, result: { output: {} } }),
    },
  });
  await tree.run('10s'); // virtual time
  assert.equal(tree.calls().length, 2);
  await tree.set('', 'to', 'store');
  await tree.go('22s');
  assert.deepEqual(tree.calls().slice(2), [
    'files.copy {"from":"report","to":"store"}',
    'files.remove {"file":"report"}',
  ]);
  await tree.go();
  assert.equal(tree.end?.type, 'normal');
  assert.deepEqual(tree.seen('/: ended'), ['25000 /: ended normal']);
}
