import type { Endless, Outlook } from './kind.js';

/** Why a component that looks at its switches when its work is done stays all the same. W4 */
export function stays({ value }: Outlook): string | undefined {
  const isOff = (name: string) => value(name) === false;
  const off = isOff('sfShouldTerminate') && isOff('sfShouldTerminateQuietly');
  return off ? 'it stays when its work is done' : undefined;
}

/** The first of several that never ends. */
export function firstEndless(all: readonly (Endless | undefined)[]): Endless | undefined {
  return all.find((each) => each !== undefined);
}

/** For a component that does nothing else but wait for what it holds in an attribute. */
export const asAction = (outlook: Outlook): Endless | undefined => outlook.held('action');
