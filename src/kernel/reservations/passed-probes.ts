/*
 * Remembers which probes an entity has sent on, and where. S3.8
 *
 * passed-probes.1. A probe goes over each edge once in each round of its wait, however often it comes here. So neither a circle
 *     of others nor several ways to the same entity multiply it.
 * passed-probes.2. Forgetting is harmless: a probe that was forgotten, since it is long ago or a new run has begun, is only
 *     sent once more.
 */
import { entityId } from '../../protocol/names.js';
import type { Probe } from '../../protocol/probe.js';
import type { Effect } from '../rules/step.js';

/** The number of waits whose probes are remembered. passed-probes.2 */
const MOST_WAITS = 1_000;

/** The latest round of a wait, and the edges over which its probe has gone from here. */
interface Passed {
  readonly round: number;
  readonly edges: Set<string>;
}

export class PassedProbes {
  /** Keyed by the wait. The one that was heard of longest ago comes first. */
  readonly #waits = new Map<string, Passed>();

  /** The effects without the probes that were sent on before or overtaken by a newer round. */
  unsent(effects: readonly Effect[]): readonly Effect[] {
    if (!effects.some(isProbe)) return effects;
    return effects.filter((effect) => !isProbe(effect) || this.#isNew(effect.message));
  }

  #isNew({ initiator, wait, round, path }: Probe): boolean {
    const name = `${entityId(initiator)}#${initiator.life}/${wait}`;
    const known = this.#waits.get(name);
    if (known && known.round > round) return false;
    const edges = known?.round === round ? known.edges : new Set<string>();
    const { on, kind, id } = path.at(-1)!;
    const edge = `${on} ${kind} ${id}`;
    if (edges.has(edge)) return false;
    edges.add(edge);
    this.#waits.delete(name);
    this.#waits.set(name, { round, edges });
    if (this.#waits.size > MOST_WAITS) this.#waits.delete(this.#waits.keys().next().value!);
    return true;
  }
}

function isProbe(effect: Effect): effect is Extract<Effect, { kind: 'send' }> & { readonly message: Probe } {
  return effect.kind === 'send' && effect.message.kind === 'probe';
}
