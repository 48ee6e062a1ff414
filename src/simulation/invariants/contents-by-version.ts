import type { Snapshot } from '../../protocol/snapshot.js';
import { sorted } from '../../kernel/index.js';
import { GrowingContents } from '../../protocol/contents-at.js';
import type { TransitionRecord } from '../../protocol/records.js';
import type { Invariant } from '../fact.js';

type Held = Pick<Snapshot, 'properties' | 'links' | 'subordinates'>;

/** S5.1: when nothing is under way any more, the rows of the transitions tell what an entity held at each of its versions. */
export function contentsByVersion(): Invariant {
  /** The contents that each life held, by its versions. */
  const lives = new Map<string, Map<number, Held>>();
  const terminated = new Set<string>();
  return {
    name: 'contents by version',
    hear(fact, all) {
      if (fact.kind === 'changed') {
        const { life, version, properties, links, subordinates } = fact.after;
        const versions = lives.get(life) ?? new Map<number, Held>();
        lives.set(life, versions.set(version, { properties, links, subordinates }));
      }
      if (fact.kind === 'terminated') terminated.add(fact.life);
      if (fact.kind !== 'quiet') return undefined;
      const told = new Map<string, TransitionRecord[]>();
      for (const record of all.records()) {
        if (record.kind !== 'transition' || terminated.has(record.entity.life)) continue;
        const { life } = record.entity;
        const others = told.get(life);
        if (others) others.push(record);
        else told.set(life, [record]);
      }
      for (const [life, transitions] of told) {
        transitions.sort((one, other) => one.version - other.version);
        const contents = new GrowingContents();
        for (const { version, changes = [] } of transitions) {
          const { leftOut, ...said } = contents.after(changes);
          const held = lives.get(life)?.get(version);
          if (!held || textOf(said) === textOf(known(held, leftOut))) continue;
          return `${life} held ${JSON.stringify(held)} at version ${version}, and its rows say ${JSON.stringify(said)}`;
        }
      }
      return undefined;
    },
  };
}

/** Gives what an entity holds, without empty collections, and without what is too large to be kept with each version. */
function known({ properties, links, subordinates }: Held, leftOut: readonly string[]) {
  const kept = (part: string, values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !leftOut.includes(`${part}.${name}`)));
  const members = Object.entries(subordinates).filter(([, each]) => Object.keys(each).length > 0);
  return {
    properties: kept('properties', properties),
    links: kept('links', links),
    subordinates: kept('subordinates', Object.fromEntries(members)),
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(sorted(value));
}
