/*
 * What an entity has sent on of the probes that have come to it. S3.8
 *
 * passed-probes.1. A probe goes over each edge once in each round of its wait, by however many ways it comes here: neither a
 *     circle that others are in nor several ways to the same entity multiply it.
 * passed-probes.2. What is forgotten, since it is long ago or a new run has begun, only sends a probe once more.
 */
import { entityId } from '../../protocol/names.js';
import type { Probe } from '../../protocol/probe.js';
import type { Effect } from '../rules/step.js';

/** Of so many waits it is known what was sent on for them. passed-probes.2 */
const MOST_WAITS = 1_000;

/** The latest round of a wait, and the edges over which its probe has gone from here. */
interface Passed {
  readonly round: number;
  readonly edges: Set<string>;
}

export class PassedProbes {
  /** By the wait, the one that was heard of longest ago first. */
  readonly #waits = new Map<string, Passed>();

  /** The effects without the probes that have been sent on before, or that a newer round has overtaken. */
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
