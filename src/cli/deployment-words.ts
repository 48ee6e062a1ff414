import { drawTree } from '../components/index.js';
import type { DeploymentRepresentation } from './api/deployments.js';
import { colours as pc } from './colours.js';

/** A deployment for people: how it is, and its tree. `now` is in milliseconds since 1970. */
export function deploymentLines(read: DeploymentRepresentation, now: number): readonly string[] {
  const { tree, tenant, detached_from: from, '@reeve.execution': link } = read;
  return [
    titleOf(read),
    ...(tenant === null ? [] : [pc.dim(`  tenant ${tenant}`)]),
    ...(from === null ? [] : [pc.dim(`  detached from ${from}`)]),
    ...(link === undefined ? [] : [pc.dim(`  ${link}`)]),
    '',
    drawTree(tree, now),
  ];
}

/** In one line: `shop  Application  up`, or how it has ended. */
export function titleOf({ name, component, phase, end }: DeploymentRepresentation): string {
  return `${name}  ${component}  ${paintPhase(phaseWords(phase, end), phase, end)}`;
}

type End = DeploymentRepresentation['end'];

/** `up`, `ended normal`, `ended abnormal: the shop closes (running/copy)`, `failed to deploy: no such file (running/copy)`. */
export function phaseWords(phase: string, end: End): string {
  if (phase === 'lost') return 'lost: its workflow was ended by hand';
  if (!end) return phase;
  const { type, description, component, undeployed } = end;
  const how = undeployed ? 'failed to deploy' : `${phase} ${type}`;
  if (type === 'normal' && !undeployed) return how;
  return `${how}: ${description}${component === '' ? '' : ` (${component})`}`;
}

/** Red when it did not end normally. */
export function paintPhase(text: string, phase: string, end: End): string {
  if (phase === 'lost') return pc.red(text);
  return end ? (end.type === 'normal' && !end.undeployed ? pc.green : pc.red)(text) : text;
}
