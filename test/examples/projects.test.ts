import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findSettings } from '../../src/project/settings.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const files = (folder: string) => readdirSync(`${EXAMPLES}/${folder}`);
const projects = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && files(entry.name).includes('package.json'))
  .map(({ name }) => name);

describe.each(projects)('examples/%s', (name) => {
  const read = (file: string) => readFile(`${EXAMPLES}/${name}/${file}`, 'utf8');

  it('names modules that it has', async () => {
    const { folder, settings } = await findSettings(`${EXAMPLES}/${name}`);
    expect(folder).toBe(`${EXAMPLES}/${name}`);
    for (const file of Object.values(settings).filter((value) => String(value).endsWith('.js'))) {
      expect(files(name)).toContain(String(file).replace(/^dist\/(.*)\.js$/, '$1.ts'));
    }
  });

  it('has at most 150 lines of TypeScript, and a page that names it', async () => {
    const sources = await Promise.all(
      files(name)
        .filter((file) => file.endsWith('.ts'))
        .map(read),
    );
    expect(sources.join('').split('\n').length - 1).toBeLessThanOrEqual(150);
    const page = await readFile(`${EXAMPLES}/../docs/start/examples.md`, 'utf8');
    expect(page).toContain(`](../../examples/${name})`);
    expect(await read('README.md')).toMatch(/^# .+/);
  });
});
