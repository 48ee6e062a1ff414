import { entityId } from '../../protocol/names.js';
import type { Awaited, Snapshot } from '../../protocol/snapshot.js';
import type { Fact, Invariant } from '../fact.js';

/** More than an event and its withdrawal take to arrive, with all that delays them; in milliseconds. */
const LATE_MS = 120_000;

/** S3.8: an event that was taken back never begins, and one for which nobody waits any longer is taken back. */
export function takenBack(): Invariant {
  /** Entity and request id. */
  const withdrawn = new Set<string>();
  /** Entity and request id -> who has stopped waiting for it, and when. */
  const given = new Map<string, { readonly by: string; readonly at: number }>();
  /** Life and request id -> what has yet to be withdrawn. */
  const owed = new Map<string, string>();
  return {
    name: 'an event that was taken back does not begin',
    hear(fact, all) {
      const { now } = all;
      switch (fact.kind) {
        case 'told':
          if (fact.message.kind === 'ended' && fact.message.outcome.rejection?.code === 'withdrawn') {
            withdrawn.add(`${fact.by.id} ${fact.message.engagement}`);
          }
          return undefined;
        case 'changed':
          for (const { on, engagement } of givenUp(fact, now))
            given.set(`${on} ${engagement}`, { by: fact.by.id, at: now });
          for (const { on, engagement, event } of inVain(fact))
            owed.set(`${fact.by.life} ${engagement}`, `${fact.by.id} waits no longer for '${event}' on ${on}`);
          for (const each of waits(fact.after)) {
            if (each.kind !== 'event') continue;
            given.delete(`${each.on} ${each.engagement}`);
            owed.delete(`${fact.by.life} ${each.engagement}`);
          }
          return undefined;
        case 'delivered': {
          // A running action was aborted for it.
          const target = all.entities().find(({ subject }) => subject.id === entityId(fact.to))?.snapshot;
          const isKept = target?.running?.aborted === true && fact.message.kind === 'withdraw';
          if (isKept && target.waiting[0]?.id === fact.message.request)
            given.delete(`${entityId(fact.to)} ${fact.message.request}`);
          return undefined;
        }
        case 'sent':
          if (fact.message.kind === 'withdraw') owed.delete(`${fact.by.life} ${fact.message.request}`);
          return undefined;
        case 'started': {
          const engagement = fact.snapshot.engagements.at(-1);
          if (!engagement || fact.snapshot.running?.kind !== 'event') return undefined;
          const name = `${fact.by.id} ${engagement.id}`;
          const said = `${fact.by.id} starts '${fact.action}' for ${engagement.id}`;
          if (withdrawn.has(name)) return `${said}, which was taken back`;
          const late = given.get(name);
          // A postponed action had begun before.
          if (!late || late.at + LATE_MS > now || fact.snapshot.running.restarts !== undefined) return undefined;
          return `${said}, for which ${late.by} has not waited any longer since ${now - late.at} ms`;
        }
        case 'terminated':
          for (const [name, { by }] of given) if (by === fact.id || name.startsWith(`${fact.id} `)) given.delete(name);
          for (const name of withdrawn) if (name.startsWith(`${fact.id} `)) withdrawn.delete(name);
          for (const name of owed.keys()) if (name.startsWith(`${fact.life} `)) owed.delete(name);
          return undefined;
        case 'quiet': {
          const [left] = owed.values();
          return left && `${left}, and has not taken it back`;
        }
        default:
          return undefined;
      }
    },
  };
}

/** The events for which an action has stopped waiting without an answer: its time was over, or its only wait was refused. */
function givenUp({ before, after, ended }: Extract<Fact, { kind: 'changed' }>, now: number) {
  const still = new Set(waits(after).map(({ wait }) => wait));
  const over = before ? waits(before).filter(({ wait }) => !still.has(wait)) : [];
  const refused = over.length === 1 && ended?.threw === true && after.lastError?.code === 'deadlock';
  return over.flatMap((each) => (each.kind === 'event' && (refused || now >= each.until) ? [each] : []));
}

/** The event of a failed action that waited for nothing else, and got no answer. */
function inVain({ before, after, ended }: Extract<Fact, { kind: 'changed' }>) {
  const over = before ? waits(before) : [];
  const unanswered = ['deadlock', 'wait_timed_out'].includes(after.lastError?.code ?? '');
  if (over.length !== 1 || ended?.threw !== true || !unanswered) return [];
  return over.flatMap((each) => (each.kind === 'event' ? [each] : []));
}

function waits({ running }: Snapshot): readonly Awaited[] {
  return running?.awaits ?? [];
}
