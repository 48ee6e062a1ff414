import { implementResource, ResourceError } from 'reeve/worker';
import { setTimeout as sleep } from 'node:timers/promises';
import { media } from './pipeline.js';

/** Stands for a media service. It takes a second for each 360 lines, and makes no large size of a film called `vhs`. */
export const resources = implementResource(media, {
  fetch: async ({ film }) => ({ file: `${film}.mov` }),
  transcode: async ({ file, height }) => {
    if (file === 'vhs.mov' && height > 720) throw new ResourceError('too_coarse', `${file} has 480 lines.`);
    await sleep((1_000 * height) / 360);
    return {};
  },
  publish: async () => ({}),
  discard: async () => ({}),
});
