import { TestTree, type TestAnswer, type TestTreeOptions } from 'reeve/components';
import { describe, expect, it } from 'vitest';
import { Pipeline } from '../../examples/pipeline/pipeline.js';

type Input = { readonly height: number };
const done = () => ({ output: {} });
const unavailable = { error: { code: 'unavailable', message: 'The service is away.' } };

/** Runs the pipeline in virtual time. Making a size takes a millisecond for each line, unless the test answers otherwise. */
async function run(transcode?: TestAnswer): Promise<TestTree> {
  const answers: TestTreeOptions['answers'] = {
    'media.fetch': () => ({ output: { file: 'metropolis.mov' } }),
    'media.transcode': transcode ?? (({ height }: Input) => ({ after: height, result: done() })),
    'media.publish': done,
    'media.discard': done,
  };
  return new TestTree(Pipeline({ film: 'metropolis' }), { components: [Pipeline], answers }).run();
}

describe('examples/pipeline', () => {
  it('publishes three sizes, which are made at the same time', async () => {
    const tree = await run();
    expect(tree.end).toMatchObject({ type: 'normal' });
    expect(tree.calls()).toEqual([
      'media.fetch {"film":"metropolis"}',
      ...[360, 720, 1080].map((height) => `media.transcode {"file":"metropolis.mov","height":${height}}`),
      'media.publish {"film":"metropolis"}',
    ]);
    expect(tree.now).toBe(1_080);
  });

  it('tries a size again that fails', async () => {
    const tree = await run((_, count) => (count === 1 ? unavailable : done()));
    expect(tree.end).toMatchObject({ type: 'normal' });
    expect(tree.calls().filter((call) => call.startsWith('media.transcode'))).toHaveLength(4);
  });

  it('discards everything when a size cannot be made', async () => {
    const tree = await run(({ height }: Input) => (height > 720 ? unavailable : done()));
    expect(tree.end).toMatchObject({ type: 'abnormal', description: 'a part failed, so all was discarded' });
    expect(tree.calls().at(-1)).toBe('media.discard {"film":"metropolis"}');
  });

  it('discards everything when a size takes longer than ten minutes, three times', async () => {
    const tree = await run(({ height }: Input) => (height > 720 ? undefined : done()));
    expect(tree.end).toMatchObject({ type: 'abnormal' });
    expect(tree.now).toBe(30 * 60_000 + 2 * 5_000);
  });
});
