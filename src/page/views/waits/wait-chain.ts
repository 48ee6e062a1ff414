/*
 * The chain of waits as a drawing has it: made of an explanation, without places.
 *
 * wait-chain.1. Each entity is drawn once. A wait for one that is drawn elsewhere is a line to it, and closes a circle where it is above.
 * wait-chain.2. At most so many are drawn, and of one's own only a few: the nearest first, and those that went wrong before others. In the
 *          place of the others stands how many there are.
 */
import type { ActionAwait, Unmet, Wait } from '../../../kernel/index.js';
import type { ExplainedEntity, ExplainedNode, Explanation } from '../../../client/explain/explanation.js';
import type { Tone } from '../../parts/tone.js';
import { UNREAD } from '../../parts/unread-words.js';

/** Something that waits, or is waited for. */
export interface Link {
  /** `LogicalServer/orders`; of what is no entity, a name of its own. */
  readonly id: string;
  readonly title: string;
  readonly isEntity: boolean;
  /** How an entity is, where that is known. */
  readonly state?: {
    readonly state: string;
    readonly health: string;
    readonly settled: boolean;
    readonly since?: number;
  };
  /** Says how it is otherwise. */
  readonly said?: { readonly tone: Tone; readonly words: string };
  /** `bad`: it is stuck, lost, or in an error state. `warn`: it has failed, and tries again. */
  readonly trouble?: 'bad' | 'warn' | undefined;
  /** Says for what the one before it waits; nothing at the beginning of a chain. */
  readonly why: string;
  /** Is true if it is this one that waits for the one before it, or holds it. */
  readonly backwards: boolean;
  readonly next: readonly Link[];
}

/** A wait for an entity that is drawn elsewhere. */
export interface Across {
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** Is true if it closes a circle. */
  readonly circular: boolean;
}

export interface Chain {
  readonly roots: readonly Link[];
  /** The ids of those to which a line leads that is a part of a circle. */
  readonly circle: ReadonlySet<string>;
  readonly across: readonly Across[];
}

/** Tells whether an event leads its entity to an error state only. */
export type LeadsAstray = (entity: string, event: string) => boolean;

const [MOST, MOST_BESIDE] = [20, 8];

/** The chain of waits of an explanation. */
export function chainOf({ entities, stuck }: Explanation, leadsAstray: LeadsAstray = () => false): Chain {
  const across: Across[] = [];
  const circle = new Set<string>();
  const seen: Seen = { told: new Set(), others: new Set() };
  for (const each of entities) noteIds(each, seen.told);
  const stuckIds = new Set(stuck.map(({ who }) => who));
  const linkOf = (node: Exclude<ExplainedNode, { kind: 'elsewhere' }>, why: string, above: readonly Link[]): Link => {
    const { entity } = node;
    const next: Link[] = [];
    const link: Link = {
      ...{ id: entity, title: entity, isEntity: true, why, backwards: false, next },
      trouble: stuckIds.has(entity) ? 'bad' : troubleOf(node),
      ...(node.kind === 'entity'
        ? { state: node }
        : { said: { tone: troubleOf(node) ?? 'quiet', words: UNREAD[node.reason] } }),
    };
    if (node.kind !== 'entity') return link;
    const path = [...above, link];
    for (const below of node.below) {
      const wanted = wantedOf(node, below.entity, leadsAstray);
      if (below.kind !== 'elsewhere') next.push(linkOf(below, wanted, path));
      else {
        // wait-chain.1
        across.push({ from: entity, to: below.entity, why: wanted, circular: below.cycle });
        const begin = path.findIndex(({ id }) => id === below.entity);
        if (begin >= 0) for (const each of path.slice(begin + 1)) circle.add(each.id);
      }
    }
    const others = othersOf(node, seen, leadsAstray);
    next.push(...others.links);
    across.push(...others.across);
    return link;
  };
  const roots = entities.flatMap((each) => (each.kind === 'elsewhere' ? [] : [linkOf(each, '', [])]));
  return { circle, ...atMost(roots, across) };
}

/** An entity that could not be read for no fault of its own is in no trouble. */
const UNTROUBLED: readonly string[] = ['unborn', 'hidden', 'limit'];

function troubleOf(node: Exclude<ExplainedNode, { kind: 'elsewhere' }>): Link['trouble'] {
  if (node.kind === 'unread') return UNTROUBLED.includes(node.reason) ? undefined : 'bad';
  if (node.health === 'error' || node.task?.cause !== undefined) return 'bad';
  return node.waits.some((wait) => 'lastError' in wait && wait.lastError !== undefined) ? 'warn' : undefined;
}

function noteIds(node: ExplainedNode, known: Set<string>): void {
  known.add(node.entity);
  if (node.kind === 'entity') for (const each of node.below) noteIds(each, known);
}

/** wait-chain.2 */
function atMost(roots: readonly Link[], across: readonly Across[]): Omit<Chain, 'circle'> {
  const drawn = new Set<Link>();
  for (let levels: readonly (readonly Link[])[] = [roots]; levels.length > 0; levels = nextOf(levels.flat(), drawn)) {
    const few = levels.flatMap((links) =>
      links.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MOST_BESIDE),
    );
    for (const each of few.slice(0, MOST - drawn.size)) drawn.add(each);
  }
  const kept = (links: readonly Link[], of: string): readonly Link[] => {
    const mine = links.filter((each) => drawn.has(each));
    const left = links.length - mine.length;
    return [
      ...mine.map((each) => ({ ...each, next: kept(each.next, each.id) })),
      ...(left > 0 ? [restOf(left, of, mine.at(-1))] : []),
    ];
  };
  const ids = new Set([...drawn].map(({ id }) => id));
  return { roots: kept(roots, ''), across: across.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

function nextOf(links: readonly Link[], drawn: ReadonlySet<Link>): readonly (readonly Link[])[] {
  return links.filter((each) => drawn.has(each)).map(({ next }) => next);
}

function restOf(left: number, of: string, before: Link | undefined): Link {
  const why = before?.why ?? '';
  return { id: `${of} and more`, title: `and ${left} more`, isEntity: false, why, backwards: false, next: [] };
}

function rankOf({ trouble, next }: Link): number {
  if (trouble !== undefined) return 0;
  return next.length > 0 ? 1 : 2;
}

/** Says what an entity wants of another one. A pattern that leads to an error state is named only where nothing else is wanted. */
function wantedOf({ entity, waits }: ExplainedEntity, of: string, leadsAstray: LeadsAstray): string {
  const wanted = waits.flatMap((wait): readonly (readonly [astray: boolean, words: string])[] => {
    switch (wait.kind) {
      case 'action':
        return wait.awaits
          .filter(({ on, kind }) => on === of && kind !== 'answer')
          .map((each) => [false, awaitWords(each)]);
      case 'subscription':
        return patternsIn(wait.unmet)
          .filter(({ successors }) => successors.some((each) => each.entity === of))
          .map(({ pattern }) => [leadsAstray(entity, wait.event), `until ${pattern}`]);
      case 'reserved':
        return wait.by === of ? [[false, 'until its reservation ends']] : [];
      case 'failed':
        return wait.successor === of ? [[false, 'it has failed']] : [];
      default:
        return [];
    }
  });
  const [straight, astray] = [false, true].map((is) =>
    wanted.filter(([each]) => each === is).map(([, words]) => words),
  );
  return [...new Set(straight!.length > 0 ? straight : astray)].join('; ');
}

function awaitWords({ kind, event }: ActionAwait): string {
  if (kind === 'event') return `until ${event} has settled`;
  if (kind === 'seal') return `until it admits ${event}`;
  return kind === 'view' ? 'for how it is' : 'to reserve it';
}

function patternsIn(unmet: readonly Unmet[]): readonly Extract<Unmet, { kind: 'pattern' }>[] {
  return unmet.flatMap((each) => (each.kind === 'pattern' ? [each] : patternsIn(each.choices.flat())));
}

const PHASES: Readonly<Record<Extract<Wait, { kind: 'deployment' }>['phase'], readonly [why: string, tone: Tone]>> = {
  waiting: ['to deploy it', 'busy'],
  starting: ['until it is up', 'busy'],
  up: ['it has deployed it', 'good'],
  ended: ['it had deployed it', 'quiet'],
  ending: ['until it has ended', 'busy'],
  left: ['it has not ended in time', 'warn'],
};

/** The entities that the explanation tells of, and the others that are drawn. */
interface Seen {
  readonly told: Set<string>;
  readonly others: Set<string>;
}

/** Lists what else an entity waits for, or what waits for it: it is no entity, is not read again, or is not awaited by it. */
function othersOf(
  { entity, waits, calls, below }: ExplainedEntity,
  { told, others }: Seen,
  leadsAstray: LeadsAstray,
): { readonly links: readonly Link[]; readonly across: readonly Across[] } {
  const links: Link[] = [];
  const across: Across[] = [];
  const add = (title: string, why: string, more: Partial<Link>) =>
    links.push({
      ...{ id: `${entity} ${why} ${title}`, title, why, isEntity: false, backwards: false, next: [] },
      ...more,
    });
  const addOutside = (title: string) =>
    add(title, 'for its answer', { said: { tone: 'quiet', words: 'from outside' } });
  /** wait-chain.1 @param line the line to it where it is drawn elsewhere; none where that says the same */
  const addEntity = (id: string, why: string, more: Partial<Link>, line?: Pick<Across, 'from' | 'to' | 'why'>) => {
    if (told.has(id) || others.has(id)) return void (line && across.push({ ...line, circular: false }));
    others.add(id);
    add(id, why, { ...{ id, isEntity: true }, ...more });
  };
  for (const wait of waits) {
    switch (wait.kind) {
      case 'action':
        for (const { kind, on } of wait.awaits) if (kind === 'answer') addOutside(on);
        break;
      case 'answer':
      case 'callback':
        addOutside(wait.event);
        break;
      case 'deployment': {
        const [why, tone] = PHASES[wait.phase];
        add(wait.deployment, why, { said: { tone, words: `deployment ${wait.phase}` } });
        break;
      }
      case 'reserved':
        addEntity(wait.by, 'holds it reserved', { backwards: true });
        break;
      case 'reserver': {
        const line = told.has(wait.by) ? undefined : { from: wait.by, to: entity, why: 'to reserve it' };
        addEntity(wait.by, 'waits to reserve it', { backwards: true }, line);
        break;
      }
      case 'lost':
        addEntity(wait.successor, 'it ended without a report', {
          trouble: 'bad',
          said: { tone: 'bad', words: 'lost' },
        });
        break;
      case 'subscription':
        if (leadsAstray(entity, wait.event)) break;
        for (const { pattern, successors } of patternsIn(wait.unmet)) {
          const why = `until ${pattern}`;
          if (successors.length === 0) add('No such successor', why, { said: { tone: 'warn', words: 'not yet' } });
          for (const successor of successors) {
            const { entity: of } = successor;
            if (below.some((each) => each.entity === of)) continue;
            addEntity(of, why, lastSeen(successor), { from: entity, to: of, why });
          }
        }
        break;
      default:
        break;
    }
  }
  for (const { call, state, lastFailure } of calls) {
    const trouble = lastFailure === undefined ? undefined : 'bad';
    add(call, 'for its answer', { trouble, said: { tone: trouble ?? 'busy', words: `call ${state}` } });
  }
  return { links, across };
}

/** How a successor that is not read again was when it reported last. */
function lastSeen({
  state,
  health = 'normal',
  is,
}: Extract<Unmet, { kind: 'pattern' }>['successors'][number]): Partial<Link> {
  const trouble = is === 'rejected' || health === 'error' ? 'bad' : undefined;
  if (state !== undefined) return { trouble, state: { state, health, settled: is === 'settled' } };
  return { trouble, said: { tone: trouble ?? 'busy', words: is } };
}
