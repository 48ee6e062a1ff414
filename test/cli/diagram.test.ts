import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readDiagram } from '../../src/diagram/kept-diagrams.js';
import { layOut } from '../../src/diagram/layout.js';
import { controlPlane } from '../../workflows/definitions.js';
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

it('the places of a diagram are the same each time, and no two states overlap (S6.3)', async () => {
  const [one, other] = [await layOut(Site), await layOut(Site)];
  expect(one).toEqual(other);
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
