import type { Self } from '../tree/kind.js';

/** Starts the first child that waits for it: the next one is started when this one is up. */
export function launchNext(self: Self): void {
  // All are deployed before the first one starts, so none does where another one could not be deployed.
  if (self.phase !== 'starting' || self.isToEnd || self.children.some(({ undeployed }) => undeployed)) return;
  const next = self.children.find(({ phase }) => phase === 'deployed');
  if (next && !self.children.some(({ phase }) => phase === 'starting')) self.launch(next.id);
}
