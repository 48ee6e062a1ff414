import type { Draft } from './draft.js';
import { wrongAttributes } from './attribute.js';
import { register } from './events.js';
import { ReferenceFailed } from './resolve.js';

/** How deep a tree can be. One that is deeper holds itself. */
export const DEPTH = 100;

/** Creates a component, and those that belong to it from the beginning. It does nothing before it is started. */
export function create(draft: Draft, parent: number | undefined, name: string, template: number): number {
  const kind = draft.kindOf(template);
  if (parent !== undefined) {
    replace(draft, parent, name);
    requireFree(draft, parent, name);
  }
  const id = draft.number();
  const description = template;
  draft.put({
    id,
    name,
    ...(parent !== undefined && { parent }),
    description,
    phase: 'created',
    since: draft.now,
    children: [],
  });
  if (parent !== undefined) draft.change(parent, { children: [...draft.get(parent).children, id] });
  draft.record(id);
  if (depth(draft, id) > DEPTH) {
    failToDeploy(draft, id, `It is more than ${DEPTH} components deep: a component deploys itself`);
    return id;
  }
  const deployed = draft.deploys(template);
  const along =
    deployed === undefined ? (kind.along?.(draft.described(template)) ?? []) : ([['running', deployed]] as const);
  for (const [child, its] of along) create(draft, id, child, its);
  return id;
}

/** An ended child makes room for another one of its name. */
function replace(draft: Draft, parent: number, name: string): void {
  for (const child of draft.get(parent).children) {
    const before = draft.get(child);
    if (before.name === name && before.phase === 'ended') draft.remove(child);
  }
}

/** @throws ReferenceFailed where another child has the name that a `run` has given to it */
function requireFree(draft: Draft, parent: number, name: string): void {
  const taken = draft.get(parent).children.some((child) => {
    const { name: its, told, forgotten } = draft.get(child);
    return its === name && !told && !forgotten;
  });
  if (taken) throw new ReferenceFailed(`It has another child '${name}' already, which a run has added.`);
}

function depth(draft: Draft, id: number): number {
  let levels = 0;
  for (let at = draft.get(id); at.parent !== undefined; at = draft.get(at.parent)) levels++;
  return levels;
}

/** Deploys a component and those that were created with it: from now on, others can reach them. */
export function deploy(draft: Draft, id: number): void {
  if (draft.get(id).phase !== 'created') return;
  const wrong = wrongAttributes(draft, id);
  if (wrong !== undefined) return failToDeploy(draft, id, wrong);
  draft.change(id, { phase: 'deployed', since: draft.now, deployedAt: draft.now });
  draft.record(id);
  const refused = register(draft, id);
  if (refused !== undefined) return failToDeploy(draft, id, refused);
  const { children } = draft.get(id);
  for (const child of children) deploy(draft, child);
  // Children that belong to it from the beginning are parts of it.
  if (children.some((child) => draft.get(child).undeployed)) draft.change(id, { undeployed: true });
}

/** Starts a deployed component. */
export function launch(draft: Draft, id: number): void {
  const component = draft.find(id);
  // Nothing of it starts when a part of it could not be deployed.
  if (component?.phase !== 'deployed' || component.undeployed) return;
  draft.change(id, { phase: 'starting', since: draft.now });
  draft.record(id);
  draft.push({ do: 'start', id });
}

/** Ends a component that cannot be deployed. Its siblings see at once that it is missing. */
function failToDeploy(draft: Draft, id: number, description: string): void {
  draft.change(id, { undeployed: true });
  fail(draft, id, description);
}

/** Ends a component that cannot go on. */
export function fail(draft: Draft, id: number, description: string): void {
  draft.push({ do: 'fail', id, end: { type: 'abnormal', description, component: draft.path(id) } });
}
