import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import { counted, matches } from '../../kernel/index.js';
import { entityId } from '../../protocol/names.js';
import { schemaVersionOf, type Snapshot } from '../../protocol/snapshot.js';
import { unmetGuards } from './unmet-guards.js';
import type { Fact, Invariant } from '../fact.js';

type Migrated = Extract<Fact, { kind: 'migrated' }>;

/**
 * Q2: an entity comes to another schema, a newer one or back, by one transition with a row of its own, and while no reservation goes on.
 * The events that wait, the ledger, the successors and the watchers stay. Nothing that was there already sets anything off.
 */
export function migratedOnce(): Invariant {
  const migrated = new Set<string>();
  /** Type and schema -> their declaration. */
  const declared = new Map<string, AnyEntity>();
  /** Life -> how it was before its run was about to end. */
  const active = new Map<string, Snapshot>();
  /** Life -> the entry in which it was migrated, and the subscriptions whose pattern was there then. */
  const there = new Map<string, { readonly entry: number; readonly names: readonly string[] }>();
  /** A pattern that has gone may appear anew. */
  const forgetGone = ({ by, after }: { readonly by: Migrated['by']; readonly after: Snapshot }) => {
    const { entry, names } = there.get(by.life) ?? { entry: 0, names: [] };
    if (names.length > 0) there.set(by.life, { entry, names: names.filter((name) => isThere(by.entity, after, name)) });
  };
  return {
    name: 'an entity is migrated once, and loses nothing',
    hear(fact, all) {
      switch (fact.kind) {
        case 'changed':
          declared.set(declarationOf(fact.after), fact.by.entity);
          if (!fact.after.rollingOver) active.set(fact.by.life, fact.after);
          forgetGone(fact);
          return undefined;
        case 'migrated': {
          const place = `${fact.by.life} ${fact.after.version}`;
          if (migrated.has(place)) return `${fact.by.id} comes to schema ${schemaVersionOf(fact.after)} again`;
          migrated.add(place);
          there.set(fact.by.life, { entry: fact.after.entry, names: patternsThere(fact, active.get(fact.by.life)) });
          forgetGone(fact);
          active.set(fact.by.life, fact.after);
          const problem = changed(fact) ?? entered(fact) ?? fired(fact.by.life, fact.after);
          return problem && `${fact.by.id} is migrated, and ${problem}`;
        }
        case 'started': {
          const problem = fired(fact.by.life, fact.snapshot);
          return problem && `${fact.by.id} was migrated, and ${problem}`;
        }
        case 'quiet': {
          const rows = all.records().filter((record) => record.kind === 'transition' && record.type === 'Migration');
          return rows.length === migrated.size ? undefined : `${migrated.size} migrations have ${rows.length} rows`;
        }
        default:
          return undefined;
      }
    },
  };

  /** A state that only has another name is not entered anew, and another one is. */
  function entered({ before, after, by }: Migrated): string | undefined {
    const isBack = schemaVersionOf(before) > schemaVersionOf(after);
    const [older, newer] = isBack ? [after, before] : [before, after];
    const entity = isBack ? declared.get(declarationOf(before)) : by.entity;
    if (!entity) return undefined;
    const { states = {} } = entity.renamed;
    const isSame = (states[older.state] ?? older.state) === newer.state;
    if (after.entry === before.entry + (isSame ? 0 : 1)) return undefined;
    return `comes from ${before.state} to ${after.state}, and from entry ${before.entry} to ${after.entry}`;
  }

  function fired(life: string, { running, entry, rearm }: Snapshot): string | undefined {
    const before = there.get(life);
    const name = running?.subscription;
    if (name === undefined || before?.entry !== entry || rearm || !before.names.includes(name)) return undefined;
    return `'${name}' fires, whose pattern was there already`;
  }
}

function declarationOf(snapshot: Snapshot): string {
  return `${snapshot.type} ${schemaVersionOf(snapshot)}`;
}

/** The subscriptions that could fire after the migration, and whose pattern was there before the old run was about to end. */
function patternsThere({ by, before, after }: Migrated, last = before): readonly string[] {
  // A state that it entered while the run was about to end has set nothing off yet.
  if (last.entry !== before.entry) return [];
  return Object.entries(by.entity.subscriptions).flatMap(([name, { raise, in: places = after.state }]) => {
    const isValid = [by.entity.events[raise]?.in, places].every((each) => asList(each).includes(after.state));
    const mayFire = isValid && unmetGuards(by.entity, after, raise).length === 0;
    return mayFire && isThere(by.entity, last, name) ? [name] : [];
  });
}

function isThere({ subscriptions }: AnyEntity, snapshot: Snapshot, name: string): boolean {
  const subscription = subscriptions[name];
  return subscription !== undefined && matches(subscription.when, counted(snapshot, subscription.among));
}

/** Tells what is not as it was, or was not over. */
function changed({ before, after }: Migrated): string | undefined {
  const { reservation, holds } = before;
  if (reservation) return `${entityId(reservation.owner)} has reserved it`;
  if (holds[0]) return `has reserved ${entityId(holds[0].on)}`;
  if (after.version !== before.version + 1) return `its version goes from ${before.version} to ${after.version}`;
  const ids = (snapshot: Snapshot) => snapshot.ledger.recent.map(({ id, fingerprint }) => `${id} ${fingerprint}`);
  const forgotten = ids(before).find((each) => !ids(after).includes(each));
  if (forgotten !== undefined && after.ledger.older === before.ledger.older) return `forgets the request ${forgotten}`;
  const known = new Set(after.successors.map(({ type, key }) => `${type}/${key}`));
  const lost = before.successors.find(({ type, key }) => !known.has(`${type}/${key}`));
  if (lost && after.engagements.length > 0) return `forgets its successor ${lost.type}/${lost.key}`;
  const waiting = before.waiting.find(({ id }) => !after.waiting.some((each) => each.id === id));
  if (waiting) return `forgets '${waiting.event}', which waits`;
  const cleared = (after.doubted?.length ?? 0) < (before.doubted?.length ?? 0);
  return cleared ? 'forgets a message that waits for the store' : undefined;
}
