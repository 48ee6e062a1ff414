import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REASONS } from '../../src/service/attention/reasons.js';

it('the runbook has a section for each reason for which something needs a person (S5.4)', () => {
  const page = readFileSync(new URL('../../docs/operate/stuck.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^### `(\w+)`: /gm)].map(([, reason]) => reason);
  expect([...sections].sort()).toEqual(Object.keys(REASONS).sort());
});
