import type { Self } from '../tree/kind.js';

/** Runs a child before anything else of the component's end: for so many milliseconds at most. */
export function runLast(self: Self, child: string, within: number): void {
  const found = self.children.find(({ name }) => name === child);
  if (!found || found.phase !== 'deployed') return;
  self.hold(within);
  self.launch(found.id);
}

/** The end goes on when the child has ended. Its failure is told in the log only, since nobody could do anything about it. */
export function afterLast(
  self: Self,
  child: string,
  ended: { readonly name: string },
  type: string,
  why: string,
): void {
  if (ended.name !== child) return;
  if (type !== 'normal') self.log(`'${child}' has ended with '${type}': ${why}`);
  self.release();
}

export function lastTookTooLong(self: Self, child: string): void {
  self.log(`'${child}' has not ended in time. It is ended with the rest.`);
  self.release();
}
