import type { EntityModel } from './model.js';

const STYLES = [
  'classDef new stroke: #1a7f37, stroke-width: 3px',
  'classDef gone stroke: #b42318, stroke-dasharray: 4 3, color: #b42318',
  'classDef changed stroke: #9a6700, stroke-width: 3px',
];

/**
 * The difference of two versions of a type as a Mermaid state diagram: what is new green, what is gone red, what has another name or
 * nature yellow. Arrows begin with `+` or `-`.
 */
export function differenceDiagram(old: EntityModel, next: EntityModel): string {
  const present = (state: string) => next.renamed.states?.[state] ?? state;
  const before = new Map(old.states.map((state) => [present(state.name), state]));
  const after = new Map(next.states.map((state) => [state.name, state]));
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const arrowsOf = ({ actions }: EntityModel, name: (state: string) => string) =>
    new Set(
      actions.flatMap((action) =>
        action.in.flatMap((from) =>
          (action.to.length > 0 ? action.to : [from]).map((to) =>
            JSON.stringify([
              name(from),
              name(to),
              action.on === undefined ? action.name : `${action.on} / ${action.name}`,
            ]),
          ),
        ),
      ),
    );
  const [arrowsBefore, arrowsAfter] = [arrowsOf(old, present), arrowsOf(next, (state) => state)];
  const arrows = [...new Set([...arrowsAfter, ...arrowsBefore])].sort().map((arrow) => {
    const [from, to, label] = JSON.parse(arrow) as [string, string, string];
    const sign = !arrowsBefore.has(arrow) ? '+ ' : !arrowsAfter.has(arrow) ? '- ' : '';
    return `${from} --> ${to}: ${sign}${label}`;
  });
  const marks = names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (!was) return [`class ${name} new`];
    if (!is) return [`class ${name} gone`];
    const shape = (state: typeof was) => [state.stability, state.waiting, state.health, state.ending, state.deadline];
    const note = was.name === name ? [] : [`note right of ${name}: was ${was.name}`];
    return was.name !== name || JSON.stringify(shape(was)) !== JSON.stringify(shape(is))
      ? [`class ${name} changed`, ...note]
      : [];
  });
  const lines = [...STYLES, ...names.map((name) => `state ${name}`), ...arrows, ...marks];
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n');
}
