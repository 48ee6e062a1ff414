import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, which the build of the site runs
import { drawingsOf } from '../../docs/.vitepress/drawings.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pagesOf = (folder: string) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const EXAMPLES = ['test/readme', 'test/distributed/example'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => trimmed(read(`${folder}/${name}`))),
);
const blocks = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!);

/** Without the indentation, which an excerpt does not keep. */
function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

describe.each(pagesOf('docs/concepts'))('the concept %s', (file) => {
  const page = read(`docs/concepts/${file}`);

  it('shows code of the examples that tests compile and run', () => {
    const code = blocks(page, 'ts');
    expect(code.length).toBeGreaterThan(0);
    for (const block of code) {
      expect(block.split('\n').length).toBeLessThanOrEqual(17);
      expect(EXAMPLES.filter((example) => example.includes(trimmed(block))).length, block).toBeGreaterThan(0);
    }
  });

  it('has one drawing, and is read in a minute', () => {
    expect(blocks(page, 'mermaid')).toHaveLength(1);
    const words = page.replace(/^```.*?^```/gms, '').match(/[\p{L}\p{N}]+/gu) ?? [];
    expect(words.length).toBeLessThanOrEqual(320);
  });
});

it('each drawing of the pages can be drawn, and fits a page', async () => {
  const drawings = await (drawingsOf as (folder: string) => Promise<ReadonlyMap<string, string>>)(join(root, 'docs'));
  expect(drawings.size).toBeGreaterThan(10);
  for (const drawing of drawings.values()) expect(drawing).toMatch(/^<svg .*<polyline .*<\/svg>$/);
});
