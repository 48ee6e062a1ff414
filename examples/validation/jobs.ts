import { implementDistributedOperation } from 'reeve/distributed';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from './validation.js';

const RULES = { email: /^[^@\s]+@[^@\s]+$/, country: /^[A-Z]{2}$/ };

/** Which partitions are where. Yours asks its database, and the version grows when a partition moves. */
export const placement = async (target: string) =>
  target === 'customers'
    ? { version: 1, partitions: 4, places: { east: { primary: '0-1' }, west: { primary: '2-3' } } }
    : undefined;

/** The code of the jobs. It runs where the rows are: `data/east/0.csv` has the rows of partition 0. */
export const validation = (folder: string) =>
  implementDistributedOperation(validate, {
    async job({ place, partition }, { column }, context) {
      const lines = (await readFile(join(folder, place, `${partition}.csv`), 'utf8')).trim().split('\n');
      const [names, ...rows] = lines.map((line) => line.split(','));
      const index = names?.indexOf(column) ?? -1;
      for (let done = context.resumed?.done ?? 0; done < rows.length; done++) {
        const value = rows[done]?.[index] ?? '';
        if (!RULES[column].test(value)) return context.fail(`row ${done + 1}: '${value}' is no ${column}`);
        await context.progress({ done: done + 1, total: rows.length });
        if (context.timeIsUp) return context.goOn(); // in the next lane, from this row
      }
      return context.complete({ rows: rows.length });
    },
    async cleanUp() {
      // A job only reads, so it leaves nothing behind.
    },
    async complete(target, { column }, { success, results }) {
      console.log(`${column} of ${target}: ${success ? 'valid' : 'not valid'}`, results);
    },
  });
