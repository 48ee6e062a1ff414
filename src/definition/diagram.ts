import type { AnyEntity } from './entity.js';
import { asList } from './names.js';
import { describePredicate } from './describe.js';

const STYLES = [
  'classDef unstable stroke-dasharray: 5 4',
  'classDef waiting stroke-width: 3px',
  'classDef error fill: #fde2e1, stroke: #b42318, color: #7a1a12',
];

/** The declaration as a Mermaid state diagram: unstable states dashed, waiting ones bold, error states red. */
export function mermaidDiagram(entity: AnyEntity): string {
  const lines: string[] = [];
  for (const [name, { initial, ending }] of Object.entries(entity.states)) {
    if (initial) lines.push(`[*] --> ${name}`);
    if (ending === 'deleted') lines.push(`${name} --> [*]`);
  }
  for (const [name, { on, in: states, to }] of Object.entries(entity.actions)) {
    for (const from of asList(states)) {
      const targets = asList(to).length > 0 ? asList(to) : [from];
      for (const target of targets) lines.push(`${from} --> ${target}: ${label(entity, name, on)}`);
    }
  }
  for (const [name, { retry }] of Object.entries(entity.states)) {
    if (retry?.exhausted !== undefined) lines.push(`${name} --> ${retry.exhausted}: attempts used up`);
  }
  for (const [name, { stability, waiting, health }] of Object.entries(entity.states)) {
    if (stability === 'unstable') lines.push(`class ${name} unstable`);
    if (waiting) lines.push(`class ${name} waiting`);
    if (health === 'error') lines.push(`class ${name} error`);
  }
  return ['stateDiagram-v2', ...[...STYLES, ...lines].map((line) => `  ${line}`)].join('\n');
}

function label(entity: AnyEntity, action: string, on: string | undefined): string {
  if (on === undefined) return `${action} (automatic)`;
  const whens = Object.values(entity.subscriptions)
    .filter(({ raise }) => raise === on)
    .map(({ when }) => ` when ${describePredicate(when)}`);
  return `${on} / ${action}${whens.join(' or')}`;
}
