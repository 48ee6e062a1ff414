import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { implementDistributedOperation } from 'reeve/distributed';
import { checksum } from './checksum.js';

/** The code runs at a place, which is a disk here: `/disks/east`. A partition is one of its folders. */
export const checksumCode = (disks: Readonly<Record<string, string>>) =>
  implementDistributedOperation(checksum, {
    async job({ place, partition }, { algorithm }, context) {
      const folder = join(disks[place]!, `${partition}`);
      const files = (await readdir(folder)).filter((file) => !file.endsWith('.sums')).sort();
      const sums = [...(context.resumed?.sums ?? [])];
      while (sums.length < files.length) {
        const content = await readFile(join(folder, files[sums.length]!));
        sums.push(createHash(algorithm).update(content).digest('hex'));
        await context.progress({ done: sums.length, total: files.length, sums });
        if (context.timeIsUp) return context.goOn(); // after a minute: the next lane goes on from here
      }
      await writeFile(join(folder, `${algorithm}.sums`), sums.join('\n'));
      return context.complete({ files: files.length });
    },
    async cleanUp({ place, partition }, { algorithm }) {
      await rm(join(disks[place]!, `${partition}`, `${algorithm}.sums`), { force: true });
    },
    async complete(target, { algorithm }, { success }) {
      console.log(`${algorithm} of ${target}: ${success ? 'all sums are there' : 'given up'}`);
    },
  });
