import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readDiagram } from '../../src/diagram/kept-diagrams.js';
import { layOut } from '../../src/diagram/layout.js';
import { controlPlane } from '../../workflows/definitions.js';
import { defineEntity, initial, stable, type AnyEntity } from '../../src/definition/index.js';
import { Site } from '../entities/site.js';
import { runReeve } from '../support/reeve-command.js';

const kept = fileURLToPath(new URL('../../dist/diagrams', import.meta.url));

it('reeve diagram --svg draws each state and arrow, with no script and no style in it (S6.3)', async () => {
  const { code, stdout } = await runReeve(['diagram', 'LogicalServer', '--svg'], {});
  expect(code).toBe(0);
  const { states } = controlPlane.find(({ name }) => name === 'LogicalServer')!;
  for (const state of Object.keys(states)) expect(stdout).toContain(`data-state="${state}"`);
  expect(stdout).toContain('data-from="CreatingResources" data-to="Ready"');
  expect(stdout).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 [\d.]+ [\d.]+"/);
  expect(stdout).not.toMatch(/<style|<script|style=|NaN|undefined/);
});

it('the build keeps a diagram for each type, and one of an earlier declaration is not taken (S6.3)', async () => {
  for (const entity of controlPlane) {
    const diagram = await readDiagram(kept, entity);
    expect(diagram?.states.map(({ name }) => name).sort()).toEqual(Object.keys(entity.states).sort());
    const [first = ''] = Object.keys(entity.states);
    const changed = { ...entity, states: { ...entity.states, [first]: { ...entity.states[first]!, waiting: true } } };
    expect(await readDiagram(kept, changed)).toBeUndefined();
  }
  expect(await readDiagram(kept, Site)).toBeUndefined();
});

it('the words of arrows, and of the legend, have only characters of Latin fonts: browsers may have no other (S6.3)', async () => {
  const legend = await readFile(fileURLToPath(new URL('../../src/page/diagram/diagram.tsx', import.meta.url)), 'utf8');
  const { arrows } = await layOut(controlPlane.find(({ name }) => name === 'LogicalServer')!);
  const lines = arrows.flatMap((arrow) => arrow.lines);
  expect(lines).toContain('» undo');
  expect(lines).toContain('×');
  // U+2026 is the ellipsis, and U+2212 the minus.
  for (const text of [legend, ...lines]) expect(text).toMatch(/^[\u0000-\u00ff\u2026\u2212]*$/);
});

it.each([
  { what: 'a type', of: Site },
  { what: 'a type with 40 states', of: manyStates(40) },
])('the places of the diagram of $what are the same each time, and no two states overlap (S6.3)', async ({ of }) => {
  const [one, other] = [await layOut(of), await layOut(of)];
  expect(one).toEqual(other);
  expect(one.states).toHaveLength(Object.keys(of.states).length);
  for (const a of one.states) {
    for (const b of one.states) {
      if (a === b) continue;
      const apart = [0, 1].some(
        (axis) => a.at[axis]! + a.size[axis]! <= b.at[axis]! || b.at[axis]! + b.size[axis]! <= a.at[axis]!,
      );
      expect(apart, `${a.name} and ${b.name}`).toBe(true);
    }
  }
});

/** A type with so many states: each leads to the next one and to one far off, and back to the first. */
function manyStates(count: number): AnyEntity {
  const names = Array.from({ length: count }, (_, index) => `Step${index}`);
  const after = (index: number, by: number) => names[(index + by) % count]!;
  return defineEntity('Wide', {
    key: z.string(),
    properties: z.object({}),
    states: Object.fromEntries(names.map((name, index) => [name, index === 0 ? initial() : stable()])),
    events: Object.fromEntries(
      names.flatMap((name, index) => [
        [`next${index}`, { in: name }],
        [`far${index}`, { in: name }],
      ]),
    ),
    actions: Object.fromEntries(
      names.flatMap((name, index) => [
        [`next${index}`, { on: `next${index}`, in: name, to: after(index, 1) }],
        [`far${index}`, { on: `far${index}`, in: name, to: after(index, 7) }],
      ]),
    ),
  } as never);
}
