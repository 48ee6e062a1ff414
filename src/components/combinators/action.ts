import type { Self } from '../tree/kind.js';

/** Starts the description that an attribute holds. @throws when it holds none */
export function startAction(self: Self, attribute = 'action', name = 'running'): number {
  const action = self.template(attribute);
  if (action === undefined) throw new TypeError(`Attribute '${attribute}' holds no description: write a component.`);
  return self.start(name, action);
}

/** Creates and deploys the description that an attribute holds, to be started later. */
export function deployAction(self: Self, attribute: string, name = attribute): number | undefined {
  const action = self.template(attribute);
  if (action === undefined) return undefined;
  const child = self.create(name, action);
  self.deploy(child);
  return child;
}

/** The names and descriptions of its children, as they are created with it. */
export function declaredChildren({ children }: { readonly children: readonly (readonly [string, number])[] }) {
  return children;
}
