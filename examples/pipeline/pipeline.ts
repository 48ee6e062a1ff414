import { call, component, fail, parallel, ref, retry, sequence, timeout, tryThen } from 'reeve/components';
import { defineResource } from 'reeve/definition';
import { z } from 'zod';

const film = z.object({ film: z.string() });
const nothing = z.object({});

export const media = defineResource('media', {
  fetch: { input: film, output: z.object({ file: z.string() }) },
  transcode: { input: z.object({ file: z.string(), height: z.number() }), output: nothing },
  publish: { input: film, output: nothing },
  discard: { input: film, output: nothing },
});

/** One size of the film: tried three times, each for ten minutes at most. */
const rendition = (height: number) =>
  retry({
    ...{ retry: 2, delay: '5s' },
    action: timeout({
      time: '10m',
      action: call(media.transcode, { file: ref('../fetch/output/file'), height }),
    }),
  });

/** Fetches a film, makes three sizes of it at the same time, and publishes all of them. If a part fails, all is discarded. */
export const Pipeline = component('Pipeline', {
  attributes: film,
  deploys: () =>
    tryThen({
      action: sequence({
        fetch: call(media.fetch, { film: ref('../film') }),
        sizes: parallel({ small: rendition(360), medium: rendition(720), large: rendition(1080) }),
        publish: call(media.publish, { film: ref('../film') }),
      }),
      abnormal: sequence({
        discard: call(media.discard, { film: ref('../film') }),
        failed: fail({ message: 'a part failed, so all was discarded' }),
      }),
    }),
});
