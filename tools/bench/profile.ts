import type { Profiler } from 'node:inspector';

/** A function and the time that it took itself, without the functions that it called. */
export interface SelfTime {
  readonly name: string;
  readonly place: string;
  readonly ms: number;
  /** Its share of the time in which something was done, from 0 to 1. */
  readonly share: number;
}

/** The names of functions that stand for waiting. */
const IDLE = ['(idle)', '(root)'];

/** The functions of a profile by the time that they took themselves, the longest first. */
export function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): readonly SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPlace = new Map<string, { readonly name: string; readonly place: string; ms: number }>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const ms = (timeDeltas[index] ?? 0) / 1_000;
    if (!frame || IDLE.includes(frame.functionName)) continue;
    busy += ms;
    const name = frame.functionName || '(anonymous)';
    const place = frame.url ? `${shorten(frame.url)}:${frame.lineNumber + 1}` : '';
    const found = byPlace.get(`${name} ${place}`) ?? { name, place, ms: 0 };
    found.ms += ms;
    byPlace.set(`${name} ${place}`, found);
  }
  return [...byPlace.values()].toSorted((a, b) => b.ms - a.ms).map((one) => ({ ...one, share: one.ms / busy }));
}

/** The path from the package on, or the file with its last two folders. */
function shorten(url: string): string {
  const [, inPackage] = /.*node_modules\/(.*)/.exec(url) ?? [];
  return inPackage ?? url.split('/').slice(-3).join('/');
}
