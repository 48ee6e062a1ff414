import { cpus, totalmem } from 'node:os';

/** The machine that was measured on. Absolute figures say little without it. */
export function describeMachine(): string {
  const all = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${all.length} x ${all[0]?.model.trim() ?? 'unknown'}, ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}
