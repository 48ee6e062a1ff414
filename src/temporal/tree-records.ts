/*
 * The records that a deployment has to tell the store. W1
 *
 * tree-records.1. Each component has one record, which tells all of its phases. What changes several times before it is told is told
 *     once.
 * tree-records.2. A deployment ends after all of its components, and its record comes after theirs: with its end, all of them are known.
 */
import type { Component, TreeRecord, Tree } from '../components/index.js';
import type { DeploymentOrigin } from '../protocol/deployment-origin.js';
import type { DeploymentRecord, PhaseTimes } from '../protocol/deployment-records.js';
import type { CarriedRecords, RecordOutbox } from '../recording/record-outbox.js';

/** Which deployment it is that tells. */
export interface TellingDeployment {
  readonly name: string;
  readonly life: string;
  readonly origin: DeploymentOrigin;
}

/** A component that has not ended, as it was told. */
interface Living {
  readonly path: string;
  readonly of: string;
  readonly times: PhaseTimes;
}

/** The part of what was told that the next run does not see in its tree. */
export interface CarriedTelling {
  readonly startedAt: number;
  readonly living: readonly (readonly [id: number, times: PhaseTimes])[];
  readonly records?: CarriedRecords;
}

export class TreeRecords {
  readonly #of: TellingDeployment;
  readonly #outbox: RecordOutbox;
  readonly #startedAt: number;
  readonly #living: Map<number, Living>;
  /** The number of the root. */
  readonly #root: number;

  /** `at` is when the run begins, in milliseconds since 1970. */
  constructor(
    of: TellingDeployment,
    outbox: RecordOutbox,
    { tree, at, carried }: { readonly tree: Tree; readonly at: number; readonly carried?: CarriedTelling | undefined },
  ) {
    this.#of = of;
    this.#outbox = outbox;
    this.#root = tree.root;
    this.#startedAt = carried?.startedAt ?? at;
    this.#living = new Map(carried?.living.flatMap(([id, times]) => livingOf(tree, id, times)));
    if (!carried) this.#begin(tree, at);
  }

  /** Gives what the next run has to know. */
  carried(): CarriedTelling {
    const records = this.#outbox.carried();
    const living = [...this.#living].map(([id, { times }]) => [id, times] as const);
    return { startedAt: this.#startedAt, living, ...(records && { records }) };
  }

  /** Notes what has happened to a component. */
  note({ id, component: path, of, phase, end, at }: TreeRecord): void {
    if (phase === undefined) return;
    const { times } = this.#living.get(id) ?? {};
    this.#put(id, { path, of, times: { ...times, [phase]: at } }, { phase, since: at, at, ...(end && { end }) });
  }

  /** Notes that the components of this tree are no longer here. W4 */
  leave({ components }: Tree, at: number): void {
    for (const id of Object.keys(components).map(Number)) {
      const living = this.#living.get(id);
      const phase = 'detached';
      if (living) this.#put(id, { ...living, times: { ...living.times, [phase]: at } }, { phase, since: at, at });
    }
  }

  /** A tree that begins here. What has happened to its components elsewhere is not known but for what they hold. */
  #begin(tree: Tree, at: number): void {
    for (const component of Object.values(tree.components)) {
      const { id, phase, since, deployedAt: deployed, end } = component;
      const times = { ...(deployed !== undefined && { deployed }), [phase]: since };
      this.#put(id, { ...placeOf(tree, component), times }, { phase, since, at, ...(end && { end }) });
    }
  }

  #put(incarnation: number, living: Living, told: Pick<DeploymentRecord, 'phase' | 'since' | 'end' | 'at'>): void {
    const { phase, since, end, at } = told;
    const { life } = this.#of;
    if (phase === 'ended' || phase === 'detached') this.#living.delete(incarnation);
    else this.#living.set(incarnation, living);
    this.#outbox.put({ kind: 'component', life, incarnation, ...living, phase, ...(end && { end }), at });
    if (incarnation !== this.#root) return;
    const endedAt = phase === 'ended' && { endedAt: since };
    this.#outbox.put({ kind: 'deployment', ...this.#of, startedAt: this.#startedAt, ...told, ...endedAt });
  }
}

/** From the root on; the root's is ''. */
function pathIn(tree: Tree, { id, name, parent }: Component): string {
  if (id === tree.root) return '';
  const above = parent === undefined ? undefined : tree.components[parent];
  if (!above) return `${name}~${id}`;
  const path = pathIn(tree, above);
  return path === '' ? name : `${path}/${name}`;
}

/** A component that the last run has told of. One that could not be detached is in no tree. */
function livingOf(tree: Tree, id: number, times: PhaseTimes): [id: number, living: Living][] {
  const component = tree.components[id];
  return component ? [[id, { ...placeOf(tree, component), times }]] : [];
}

function placeOf(tree: Tree, component: Component): Pick<Living, 'path' | 'of'> {
  return { path: pathIn(tree, component), of: tree.descriptions[component.description]?.kind ?? '' };
}
