import { describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, which checks run without a build
import { examine as examineFiles } from '../../infra/guarantees.mjs';

type Files = Readonly<Record<string, string>>;
const examine = examineFiles as (files: Files) => { readonly problems: readonly string[]; readonly page: string };

const SHOP = 'test/kernel/shop.test.ts';
const PROVED = 'Proved by: **kernel** shop';
const page = (...lines: string[]) => ['# Guarantees', '', ...lines, ''].join('\n');

/** A repository without a mistake, but for what is put in its place. */
const repository = (changes: Files = {}): Files => ({
  'docs/background/guarantees.md': page('### S9.1 Opening', '', 'It opens.', '', PROVED),
  'src/shop.ts': '/** It opens. S9.1 */',
  [SHOP]: "it('opens (S9.1)', () => {});",
  ...changes,
});
const problems = (changes: Files) => examine(repository(changes)).problems;

describe('the check of guarantees', () => {
  it('finds nothing where each id has its section and its tests', () => {
    expect(problems({})).toEqual([]);
  });

  it('finds an id that is cited and has no heading, with its places', () => {
    expect(problems({ 'src/shop.ts': 'x;\n// S9.2' })).toEqual([expect.stringMatching(/^S9\.2 .* src\/shop\.ts:2$/)]);
    expect(problems({ 'README.md': 'See S9.1a.' })).toEqual([expect.stringMatching(/^S9\.1a .* README\.md:1$/)]);
  });

  it('finds an id that has two headings', () => {
    const twice = page('### S9.1 Opening', PROVED, '### S9.1 Again', PROVED);
    expect(problems({ 'docs/background/guarantees.md': twice })).toEqual([expect.stringContaining('2 headings')]);
  });

  it('finds tests that are not those which cite the id, and writes those', () => {
    const files = repository({ 'test/conformance/all.ts': "scenario('S9.1', 'it opens', run);" });
    const { problems: found, page: right } = examine(files);
    expect(found).toEqual([expect.stringContaining('--write')]);
    expect(right).toContain('Proved by: **conformance** all; **kernel** shop');
    expect(problems({ ...files, 'docs/background/guarantees.md': right })).toEqual([]);
  });

  it('finds a promise that no test proves, unless it says why', () => {
    const unproved = { [SHOP]: '// S9.1' };
    expect(problems({ ...unproved, 'docs/background/guarantees.md': page('### S9.1 Opening') })).toEqual([
      expect.stringContaining('S9.1 has no test'),
    ]);
    const excused = page('### S9.1 Opening', 'It opens. No test proves it: the door is outside.');
    expect(problems({ ...unproved, 'docs/background/guarantees.md': excused })).toEqual([]);
    expect(problems({ 'docs/background/guarantees.md': excused })).toEqual([
      expect.stringContaining(`but ${SHOP} does`),
    ]);
  });

  it('finds a promise whose tests are not shown', () => {
    expect(problems({ 'docs/background/guarantees.md': page('### S9.1 Opening', 'It opens.') })).toEqual([
      expect.stringContaining("has no line 'Proved by:'"),
    ]);
  });

  it('takes the first comment of a type test for its title, and no other comment', () => {
    const types = { 'test/types/shop.test-d.ts': '/** What compiles: S9.1 */\n// S9.1' };
    expect(examine(repository(types)).page).toContain('**types** shop');
  });

  it('finds a law of a file that nobody says, that is said twice, or that is named after another file', () => {
    const door = '/*\n * door.1. The door is closed.\n */\n// door.1';
    expect(problems({ 'src/door.ts': door, 'src/shop.ts': '// door.1' })).toEqual([]);
    expect(problems({ 'src/door.ts': door, 'src/shop.ts': '// door.2' })).toEqual([
      'src/shop.ts cites the law door.2, which is in no file.',
    ]);
    expect(problems({ 'src/door.ts': door, 'src/a/door.ts': door })).toEqual([
      'There are two laws door.1: in src/door.ts and src/a/door.ts. Keep one.',
    ]);
    expect(problems({ 'src/gate.ts': door })).toEqual(['src/gate.ts has the law door.1: name the law after its file.']);
  });

  it('finds a path and a link of a page that leads nowhere', () => {
    const lively =
      'From `src/shop.ts` in `src` to [the test](../test/kernel/shop.test.ts); dist/src/x.js, https://x.org/src/x.';
    expect(problems({ 'docs/way.md': lively })).toEqual([]);
    expect(problems({ 'docs/way.md': '```ts\n// src/of/a/project.ts\n```' })).toEqual([]);
    const dead = 'See src/gone.ts, [this](gone.md#top) and [that](../test/kernel/gone.test.ts).';
    expect(problems({ 'docs/way.md': dead })).toEqual(
      ['src/gone.ts', 'docs/gone.md', 'test/kernel/gone.test.ts'].map(
        (path) => `docs/way.md names ${path}, which does not exist.`,
      ),
    );
  });

  it('finds an anchor of a page that no heading has', () => {
    const way = '# Way\n\n## The `end`\n\n```\n# no heading\n```\n';
    expect(problems({ 'docs/way.md': `${way}[here](#the-end) [this](way.md#way)` })).toEqual([]);
    expect(problems({ 'docs/way.md': `${way}[here](#begin) [code](#no-heading)` })).toEqual(
      ['begin', 'no-heading'].map((anchor) => `docs/way.md links to docs/way.md#${anchor}, which has no such heading.`),
    );
  });
});
